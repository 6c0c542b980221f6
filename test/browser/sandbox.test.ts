// Sandbox pages in a real browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import type { Json, World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'

let world: World
let browser: Browser
let context: BrowserContext
let requested: string[]

beforeAll(async () => {
  world = await openWorld()
  browser = await openBrowser()
})
afterEach(() => context.close())
afterAll(async () => {
  await browser.close()
  await world.stop()
})

async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 }, ...options })
  requested = []
  context.on('request', (request) => requested.push(new URL(request.url()).host))
  const page = await context.newPage()
  await page.goto(path.startsWith('http') ? path : world.baseUrl + path)
  return page
}

async function expectReadable(page: Page): Promise<void> {
  await expectNoViolations(page)
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
}

function printedCheckout(): Json {
  const [, body] = /-d '(\{.*\})'/.exec(world.output()) ?? []
  return JSON.parse(body ?? '')
}

it('the printed call ends on a page that shows the operation, its postings and its callback', async () => {
  const created = await world.shop.post('/api/v2/checkout', printedCheckout())
  const page = await open(created.body.url_redirect)
  await page.locator('input[name=method][value=CC]').check()
  await page.locator('[name=number]').fill('4176660000000027')
  await page.locator('[name=name]').fill('Ana Silva')
  await page.locator('[name=expiry]').fill('1230')
  await page.locator('[name=vcode]').fill('123')
  await page.locator('form[action*="/card"] button[type=submit]').click()
  await page.locator(`a[href*="/sandbox/thanks?checkoutid=${created.body.id}"]`).first().click()
  await page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await world.eventually(async () => {
    await page.reload()
    return (await page.getByText(/delivered|verified/).count()) > 0
  })
  const text = (await page.locator('main').textContent()) ?? ''
  const operation = await world.operation(created.body.payment.id)
  for (const shown of [
    operation.id,
    'COMPLETED',
    '€10.00',
    'clearing:CC',
    'merchant',
    'fees',
    '"event": "COMPLETED"',
  ]) {
    expect(text).toContain(shown)
  }
  expect(text).not.toContain('ext_email')
  expect(text).not.toContain('ana@example.com')
  await expectReadable(page)
  expect(new Set(requested)).toEqual(new Set([new URL(world.baseUrl).host]))
  await page.getByRole('link', { name: 'Português' }).click()
  await page.getByRole('heading', { name: 'Pagamento concluído' }).waitFor()
  await expectReadable(page)
})

it('a checkout that was cancelled ends there too, and an unknown one is said to be unknown', async () => {
  const created = await world.shop.post('/api/v2/checkout', printedCheckout())
  expect((await world.shop.delete(`/api/v2/checkout/${created.body.id}`)).status).toBe(200)
  const page = await open(`/sandbox/thanks?checkoutid=${created.body.id}`)
  await page.getByRole('heading', { name: 'It was not paid' }).waitFor()
  for (const id of ['01991234-5678-7000-8000-000000000000', 'x', '']) {
    const answer = await page.goto(`${world.baseUrl}/sandbox/thanks?checkoutid=${id}`)
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'This checkout does not exist' }).waitFor()
  }
})

it('the README and the landing page lead to the same end as the printed call', async () => {
  const thanks = `${world.baseUrl}/sandbox/thanks`
  expect(printedCheckout()).toMatchObject({ url_confirm: thanks, url_cancel: thanks })
  const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')
  expect(readme).not.toContain('shop.example')
  expect(readme).toContain('"url_confirm":"http://127.0.0.1:8080/sandbox/thanks"')
  const page = await open('/sandbox/start')
  expect(await page.locator('pre').textContent()).toContain(`"url_confirm":"${thanks}"`)
})

const pages = [
  ['/sandbox/start', 'Comporta is running', 'A Comporta está a funcionar'],
  ['/sandbox', 'The outside world, simulated', 'O mundo exterior, simulado'],
  ['/sandbox/phone', 'Phone', 'Telemóvel'],
  ['/sandbox/issuer', 'Issuer', 'Banco emissor'],
  ['/sandbox/atm', 'ATM', 'Multibanco'],
  ['/sandbox/home-banking', 'Home banking', 'Homebanking'],
  ['/sandbox/bank', 'Bank', 'Banco'],
  ['/sandbox/online-wallet', 'Online wallet', 'Carteira online'],
  ['/sandbox/clock', 'Clock', 'Relógio'],
  ['/sandbox/chaos', 'Chaos', 'Caos'],
] as const

it.each(pages)(
  '%s speaks English and Portuguese, to phones and by a visible switch',
  async (path, en, pt) => {
    const page = await open(path, { locale: 'pt-PT' })
    await page.getByRole('heading', { level: 1, name: pt, exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('pt')
    await expectReadable(page)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: en, exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await expectReadable(page)
    expect(new Set(requested)).toEqual(new Set([new URL(world.baseUrl).host]))
    await context.close()
    await open(path, { locale: 'fr-FR', colorScheme: 'dark', viewport: { width: 1280, height: 800 } }).then(
      async (wide) => {
        await wide.getByRole('heading', { level: 1, name: en, exact: true }).waitFor()
        await expectReadable(wide)
      },
    )
  },
)

it('the chosen language stays from page to page and through forms', async () => {
  const page = await open('/sandbox?lang=pt')
  await page.getByRole('navigation').getByRole('link', { name: 'Relógio' }).click()
  await page.getByRole('button', { name: '+ 5 minutos' }).click()
  await page.getByText('O relógio avançou').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Multibanco' }).click()
  await page.getByLabel('Entidade').fill('21312')
  await page.getByLabel('Referência').fill('123456789')
  await page.getByLabel('Montante em euros').fill('10')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByText('Esta referência não existe').waitFor()
})

it('chaos is begun and ended by forms, and shown on every page while it is on', async () => {
  const page = await open('/sandbox/chaos', { javaScriptEnabled: false })
  await page.getByLabel('Rail').selectOption({ label: 'MB WAY' })
  await page.getByLabel('Fault').selectOption('slow')
  await page.getByLabel('Seconds, if slow').fill('99')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('alert').getByText('seconds must be a whole number from 1 to 60').waitFor()
  expect(await page.getByLabel('Rail').inputValue()).toBe('mobile_wallet')
  await page.getByLabel('Seconds, if slow').fill('2')
  await page.getByLabel('Number of calls').fill('3')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('cell', { name: 'the next 3 calls' }).waitFor()
  const banner = page.getByRole('complementary', { name: 'Chaos' })
  for (const path of ['/sandbox', '/sandbox/phone/351912345678', '/sandbox/shop', '/sandbox/chaos']) {
    await page.goto(`${world.baseUrl}${path}?lang=en`)
    await banner.getByText('MB WAY: slow (2 s)').waitFor()
  }
  await banner.getByRole('button', { name: 'End all' }).click()
  await page.getByText('No active faults.').waitFor()
  expect(await banner.count()).toBe(0)
})
