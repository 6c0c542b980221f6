// Pages as HTML: language, amounts, policy, escaping.
import { describe, expect, test } from 'vitest'
import { methodPanels } from '../../test/method-panels.ts'
import { cents } from '../kernel/money.ts'
import { instant } from '../kernel/time.ts'
import { renderChallengePage, renderMethodPage } from '../methods/cards/issuer-pages.ts'
import { contentSecurityPolicy } from './answers.ts'
import { ownPath, webUrl, withoutCardNumber } from './html.ts'
import { decimalMoney, localMoment, money } from './i18n/format.ts'
import {
  type CheckoutPage,
  pickLocale,
  renderCheckoutPage,
  renderProblemPage,
  renderResultPage,
  renderWaitingPage,
} from './index.ts'

test.each([
  [{ locale: 'pt_PT' }, 'pt'],
  [{ locale: 'en_GB' }, 'en'],
  [{ locale: 'EN-us' }, 'en'],
  [{ lang: 'en' }, 'en'],
  [{ lang: 'pt', locale: 'en_GB', acceptLanguage: 'en' }, 'pt'],
  [{ lang: 'fr', locale: 'en' }, 'en'],
  [{ lang: 'xx', acceptLanguage: 'en-GB,en;q=0.9' }, 'en'],
  [{ acceptLanguage: 'fr-FR, en;q=0.5, pt;q=0.8' }, 'pt'],
  [{ acceptLanguage: 'pt;q=0, en;q=0.1' }, 'en'],
  [{ acceptLanguage: 'pt-BR' }, 'pt'],
  [{ acceptLanguage: 'de, fr' }, 'en'],
  [{ acceptLanguage: 'pl-PL' }, 'en'],
  [{ acceptLanguage: 'pt;q=0, de' }, 'en'],
  [{ locale: 'pt_PT', acceptLanguage: 'de' }, 'pt'],
  [{ acceptLanguage: '*' }, 'pt'],
  [{ acceptLanguage: '' }, 'pt'],
  [{}, 'pt'],
  [{ acceptLanguage: ';;;,,q=' }, 'pt'],
] as const)('%j speaks %s', (hints, locale) => {
  expect(pickLocale(hints)).toBe(locale)
})

const nbsp = '\u00a0'

test('amounts are written as people of the language write them', () => {
  expect(money(cents(1234), 'EUR', 'pt')).toBe(`12,34${nbsp}€`)
  expect(money(cents(1234), 'EUR', 'en')).toBe('€12.34')
  expect(money(cents(5), 'EUR', 'en')).toBe('€0.05')
  expect(money(cents(9_999_999), 'EUR', 'pt')).toBe(`99${nbsp}999,99${nbsp}€`)
  expect(money(cents(-1234), 'EUR', 'en')).toBe('-€12.34')
  expect(decimalMoney('0.125', 'EUR', 'en')).toBe('€0.125')
  expect(decimalMoney('a lot', 'EUR', 'en')).toBe('a lot')
})

test('a moment of the same Lisbon day needs no date, summer time included', () => {
  const evening = instant(Date.UTC(2026, 6, 13, 23, 30))
  expect(localMoment(evening, instant(Date.UTC(2026, 6, 14, 8)), 'pt')).toEqual({ time: '00:30' })
  const dayBefore = instant(Date.UTC(2026, 6, 13, 8))
  expect(localMoment(evening, dayBefore, 'en')).toEqual({ time: '00:30', day: '14 July 2026' })
})

describe('the policy', () => {
  test('allows nothing but ourselves', () => {
    const policy = contentSecurityPolicy()
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  test('names origins only, each once, and no other scheme', () => {
    const formTargets = [
      'https://shop.pt/a;script-src *',
      'https://shop.pt/b',
      'javascript:alert(1)',
      'nonsense',
      'https://a;sandbox/',
      'https://*.pt/',
      'http://127.0.0.1:3000/x',
    ]
    const policy = contentSecurityPolicy({ formTargets, frameTargets: ['https://issuer.pt:8443/method'] })
    expect(policy).toContain("form-action 'self' https://shop.pt https://www.shop.pt http://127.0.0.1:3000;")
    expect(policy).toContain("frame-src 'self' https://issuer.pt:8443;")
  })
})

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`
const asset = { url: '/assets/a.js', integrity: 'sha384-x' }
const frame = {
  locale: 'pt',
  assets: { script: asset, style: asset, icon: asset },
  checkoutId: hostile,
  kind: 'payment',
  merchantName: hostile,
  amount: cents(1234),
  currency: 'EUR',
} as const
const page: CheckoutPage = {
  ...frame,
  items: [{ name: hostile, quantity: 2, amount: hostile }],
  methods: ['CC'],
  panels: methodPanels,
  attemptToken: hostile,
  requiredFields: { email: true, phone: true },
  filledIn: { name: hostile, expiry: hostile, email: hostile, phone: hostile },
  errors: { number: 'invalid' },
  expiresAt: instant(0),
  now: instant(0),
}
const hostileUrl = `https://shop.pt/?a=${hostile}`

test.each([
  ['checkout', () => renderCheckoutPage(page)],
  ['waiting', () => renderWaitingPage({ ...frame, next: '/checkout/x', events: '/checkout/x/events' })],
  [
    'method',
    () =>
      renderMethodPage({
        ...frame,
        methodUrl: hostileUrl,
        threeDSMethodData: hostile,
        continueUrl: `/${hostile}`,
      }),
  ],
  [
    'challenge',
    () =>
      renderChallengePage({
        ...frame,
        address: hostileUrl,
        method: 'post',
        fields: { creq: hostile, [hostile]: hostile },
      }),
  ],
  [
    'result',
    () =>
      renderResultPage({
        ...frame,
        outcome: { kind: 'paid', urlConfirm: hostileUrl },
        card: { type: hostile, last4: hostile },
      }),
  ],
  [
    'problem',
    () => renderProblemPage({ ...frame, problem: 'internal', tid: hostile, retryUrl: `/${hostile}` }),
  ],
])('no text becomes markup on the %s page', (_name, render) => {
  const html = render()
  expect(html).not.toMatch(/<script>alert|<img/)
  // Quotes are escaped, so every attribute stays closed.
  expect(html).not.toContain(`"'>`)
})

test('a card number typed into another field is not shown again', () => {
  const slipped = { ...page, filledIn: { name: '4176 6600 0000 0027', email: '4176-6600-0000-0027@x.pt' } }
  expect(renderCheckoutPage(slipped)).not.toMatch(/4176|0027/)
  expect(withoutCardNumber('+351 912 345 678')).toBe('+351 912 345 678')
})

test('links lead to the web or to ourselves, nowhere else', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', '']) {
    expect(() => webUrl(url)).toThrow('not an http(s) URL')
  }
  for (const path of ['//elsewhere.pt', '/\\elsewhere.pt', 'https://elsewhere.pt', '']) {
    expect(() => ownPath(path)).toThrow('not a path of ours')
  }
})

test('pages show the hints of simulated rails, and none for real money', () => {
  const link = { text: 'Try', path: '/try' }
  const words = {
    banner: 'Practice only',
    cards: link,
    hints: { WALLET: 'any PIN', SEPA: 'any IBAN' },
    ...{ answerDebit: link, answerPhone: link, payReference: link },
  }
  const accounts = { ...page, methods: ['WALLET', 'SEPA'] } as const
  const told = [words.banner, 'href="/try"', words.hints.WALLET, words.hints.SEPA]
  const simulated = renderCheckoutPage({ ...accounts, simulated: { pt: words, en: words } })
  for (const text of told) expect(simulated).toContain(text)
  const waiting = { ...frame, phone: '+351911111111', next: '/checkout/x', events: '/checkout/x/events' }
  const wayToPhone = 'href="/try?number&#61;%2B351911111111'
  expect(renderWaitingPage({ ...waiting, simulated: { pt: words, en: words } })).toContain(wayToPhone)
  expect(renderWaitingPage(waiting)).not.toContain('/try')
  const real = renderCheckoutPage(accounts)
  for (const text of told) expect(real).not.toContain(text)
})
