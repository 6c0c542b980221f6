// Mail in a browser: every kind at two widths, in both colour schemes and languages, without pictures.
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Content } from '../../src/mail/content/content.ts'
import { htmlOf, textOf } from '../../src/mail/content/layout.ts'
import { mailMessages } from '../../src/mail/content/messages.ts'
import { openBrowser } from './browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Pixels that the page is too wide. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const shop = 'Livraria do Cais'
const longWord = 'Encadernação'.repeat(12)

function contents(language: 'pt' | 'en'): Readonly<Record<string, Content>> {
  const { receipt, reference, link, refundPage, dispute, labels } = mailMessages[language]
  const number = '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30'
  const url = 'https://pay.example.com/l/3nWbF9yHtKqZ8vRmXcLd2A'
  return {
    receipt: {
      title: receipt.title(shop, '12,50 €'),
      lead: receipt.lead(shop, '12,50 €'),
      rows: [
        [labels.amount, '12,50 €'],
        [labels.card, 'VISA •••• 0027'],
        [labels.invoice, longWord],
        [labels.number, number],
      ],
      notes: receipt.notes,
      reason: receipt.reason(shop, ''),
    },
    reference: {
      title: reference.title(shop, '30,00 €'),
      lead: reference.lead(shop, '30,00 €'),
      rows: [
        [labels.entity, '21312'],
        [labels.reference, '123 456 789'],
        [labels.deadline, '28 de novembro de 2026, 23:59'],
      ],
      notes: [],
      reason: reference.reason(shop, ''),
    },
    link: {
      title: link.title(shop, longWord),
      lead: link.lead(shop, ''),
      rows: [[labels.amount, '45,00 €']],
      button: { text: link.button, url },
      notes: [link.until('28.11.2026, 23:59'), ...link.notes],
      reason: link.reason(shop, ''),
    },
    refund_page: {
      title: refundPage.title(shop, '7,50 €'),
      lead: refundPage.lead(shop, '7,50 €'),
      rows: [
        [labels.amount, '7,50 €'],
        [labels.number, number],
      ],
      button: { text: refundPage.button, url: `https://pay.example.com/refund/${number}/${longWord}` },
      notes: [refundPage.until('28.12.2026, 10:00'), ...refundPage.notes],
      reason: refundPage.reason(shop, ''),
    },
    dispute: {
      title: dispute.title('10,00 €'),
      lead: dispute.lead('10,00 €'),
      rows: [[labels.reasonOfFailure, 'fraudulent']],
      notes: dispute.notes,
      reason: dispute.reason(''),
    },
  }
}

const cases = (['pt', 'en'] as const).flatMap((language) =>
  Object.keys(contents(language)).flatMap((kind) =>
    (['light', 'dark'] as const).flatMap((scheme) =>
      [320, 640].map((width) => [kind, language, scheme, width] as const),
    ),
  ),
)

it.each(cases)('%s in %s, %s, %i px', async (kind, language, scheme, width) => {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } })
  const requests: string[] = []
  const page = await context.newPage()
  page.on('request', ({ url }) => void requests.push(String(url)))
  const content = contents(language)[kind] as Content
  const layout = {
    content,
    language,
    messages: mailMessages[language],
    sender: { name: shop, colour: '#7a1f5c', contacts: ['ajuda@livraria.example', '+351211234567'] },
    stopUrl: kind === 'receipt' ? undefined : 'https://pay.example.com/mail/stop/AAAA',
  }
  await page.setContent(htmlOf(layout))
  expect(requests).toEqual([])
  const wide = await page.evaluate(overflow)
  expect(wide).toBe(0)
  const { violations } = await new AxeBuilder({ page })
    .disableRules(['region', 'landmark-one-main'])
    .analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  for (const [, value] of content.rows) expect(textOf(layout)).toContain(value)
  const folder = process.env.PICTURES
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${kind}-${language}-${scheme}-${width}.png`, fullPage: true })
  await context.close()
})
