// Sample hosted pages and a server for them.
import fastifyStatic from '@fastify/static'
import Fastify, { type FastifyInstance } from 'fastify'
import { simulated } from '../../sandbox/pages/simulated-money.ts'
import { cents } from '../../src/kernel/money.ts'
import { instant } from '../../src/kernel/time.ts'
import {
  type ChallengePage,
  renderCardFormPage,
  renderChallengePage,
  renderMethodDonePage,
  renderMethodPage,
  renderProceedPage,
  type ThreeDSMethodPage,
} from '../../src/methods/cards/issuer-pages.ts'
import { cardPanel } from '../../src/methods/cards/panel.ts'
import { mbwayTexts } from '../../src/methods/mbway/i18n.ts'
import {
  type CheckoutFrame,
  type CheckoutPage,
  contentSecurityPolicy,
  type Locale,
  loadAssets,
  type Outcome,
  pickLocale,
  type Receipt,
  renderCheckoutPage,
  renderProblemPage,
  renderResultPage,
  renderSubscriptionPage,
  renderWaitingPage,
  type SubscriptionPage,
  type TermsShown,
} from '../../src/pages/index.ts'
import { type LinkPage, renderLinkPage } from '../../src/payment-links/page.ts'
import { brandingRoutes, colourPath } from '../../src/wallets/branding/routes.ts'
import { methodPanels } from '../method-panels.ts'

export const checkoutId = '019c1a2b-3c4d-7e5f-8a9b-0c1d2e3f4a5b'
const attemptToken = '7d9f1c52-9f0e-4c0b-9d38-3a6b1b0e6c11'
export const elsewhere = 'http://shop.invalid'

const assets = loadAssets(new URL('../../dist/web/manifest.json', import.meta.url).pathname)

function frame(locale: Locale): CheckoutFrame {
  return {
    locale,
    assets,
    simulated,
    checkoutId,
    kind: 'payment',
    merchantName: 'Livraria do Cais',
    amount: cents(123450),
    currency: 'EUR',
  }
}

function waiting(locale: Locale) {
  const path = `/checkout/${checkoutId}`
  return { ...frame(locale), next: `${path}?lang=${locale}`, events: `${path}/events?lang=${locale}` }
}

function checkout(locale: Locale, change: Partial<CheckoutPage> = {}): CheckoutPage {
  return {
    ...frame(locale),
    items: [
      { name: 'Os Maias, edição de bolso', quantity: 2, amount: '12.45' },
      { name: 'Atlas do Mar Português', amount: '1209.60' },
    ],
    methods: ['CC'],
    panels: methodPanels,
    attemptToken,
    requiredFields: { email: true, phone: true },
    filledIn: { name: 'Ana Sousa', email: 'ana@exemplo.pt' },
    errors: {},
    expiresAt: instant(Date.UTC(2026, 2, 14, 18, 30)),
    now: instant(Date.UTC(2026, 2, 14, 9)),
    ...change,
  }
}

export const cardFormScript = `${elsewhere}/card-form.js`

function method(locale: Locale, change: Partial<ThreeDSMethodPage> = {}): ThreeDSMethodPage {
  const continueUrl = '/continue'
  return {
    ...frame(locale),
    methodUrl: `${elsewhere}/method`,
    threeDSMethodData: 'eyJ9',
    continueUrl,
    ...change,
  }
}

function challenge(locale: Locale, change: Partial<ChallengePage> = {}): ChallengePage {
  return {
    ...frame(locale),
    address: `${elsewhere}/acs`,
    method: 'post',
    fields: { creq: 'eyJ9', threeDSSessionData: 'c2Vzc2lvbg' },
    ...change,
  }
}

const receipt: Receipt = {
  method: 'CC',
  at: instant(Date.UTC(2026, 2, 14, 9, 5)),
  number: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
}

function result(locale: Locale, outcome: Outcome): string {
  const paid = 'urlConfirm' in outcome ? receipt : undefined
  return renderResultPage({
    ...frame(locale),
    outcome,
    receipt: paid,
    card: paid && { type: 'visa', last4: '0027' },
  })
}

const urlConfirm = `${elsewhere}/thanks?checkoutid=${checkoutId}`
const urlCancel = `${elsewhere}/basket?checkoutid=${checkoutId}`

const terms: TermsShown = {
  amount: cents(2990),
  currency: 'EUR',
  frequency: 3,
  period: 'MONTH',
  startDate: '2026-03-14',
  endDate: '2027-12-31',
  description: 'Clube do Livro: um livro e um café por trimestre, com entrega em casa',
}
const manage = `/subscription/${checkoutId}/Zm9yIHRoZSBwYWdlcyBhbG9uZSwgbm90IGEgc2lnbmF0dXJl`

function subscription(locale: Locale, change: Partial<SubscriptionPage> = {}): string {
  const now = instant(Date.UTC(2026, 5, 20, 9))
  const currency = 'EUR'
  return renderSubscriptionPage({
    locale,
    assets,
    simulated,
    merchantName: 'Livraria do Cais',
    path: manage,
    status: 'APPROVED',
    terms,
    card: { type: 'visa', last4: '0027' },
    left: { amount: cents(1540), until: '2026-09-13' },
    charges: [
      { amount: cents(1200), currency, status: 'PROCESSING', createdAt: now },
      { amount: cents(250), currency, status: 'FAIL', createdAt: instant(Date.UTC(2026, 5, 14, 11)) },
      { amount: cents(2990), currency, status: 'SUCCESS', createdAt: instant(Date.UTC(2026, 2, 14, 11)) },
    ],
    fromBalance: false,
    chargeCount: 3,
    now,
    confirming: false,
    ...change,
  })
}

function link(locale: Locale, change: Partial<LinkPage> = {}): string {
  return renderLinkPage({
    ...frame(locale),
    path: '/l/7Qm2bXk0PzR4sVt9Lw3Nya',
    state: 'open',
    description: 'Encomenda 1207: Os Maias, edição de bolso',
    methods: ['CC', 'MBWAY', 'MB'],
    expiresAt: instant(Date.UTC(2026, 2, 20, 18)),
    ...change,
  })
}

const brand = {
  styleSheet: colourPath('#8a1c4a'),
  links: { terms: `${elsewhere}/terms`, privacy: `${elsewhere}/privacy`, support: null },
  email: 'ajuda@livrariadocais.pt',
  phone: '+351211234567',
}

/** Every kind of page, by path. */
export const samples: Readonly<Record<string, (locale: Locale) => string>> = {
  '/checkout': (locale) => renderCheckoutPage(checkout(locale)),
  '/checkout-with-choice': (locale) =>
    renderCheckoutPage(checkout(locale, { methods: ['CC', 'MB', 'MBWAY'], chosen: 'CC' })),
  '/all-methods': (locale) =>
    renderCheckoutPage(
      checkout(locale, {
        methods: ['CC', 'MBWAY', 'MB', 'PAYPAL', 'WALLET', 'SEPA'],
        chosen: 'CC',
        requiredFields: {},
      }),
    ),
  '/debit-errors': (locale) =>
    renderCheckoutPage(
      checkout(locale, {
        methods: ['SEPA'],
        requiredFields: {},
        errors: { iban: 'invalid' },
        filledIn: { holder: 'Ana Sousa', iban: 'pt50000201231234567890155', mandate: 'accepted' },
      }),
    ),
  '/authorization': (locale) => renderCheckoutPage(checkout(locale, { kind: 'authorization' })),
  '/subscription': (locale) =>
    renderCheckoutPage(
      checkout(locale, { kind: 'subscription', amount: terms.amount, terms, items: [], requiredFields: {} }),
    ),
  '/payment-with-subscription': (locale) =>
    renderCheckoutPage(checkout(locale, { terms: { ...terms, frequency: 1, endDate: undefined } })),
  '/accepted': (locale) =>
    renderResultPage({
      ...frame(locale),
      kind: 'subscription',
      amount: terms.amount,
      terms,
      outcome: { kind: 'accepted', urlConfirm },
      receipt: { ...receipt, at: undefined },
      card: { type: 'visa', last4: '0027' },
      manage,
    }),
  '/paid-and-accepted': (locale) =>
    renderResultPage({
      ...frame(locale),
      terms: { ...terms, frequency: 1, period: 'MONTH', endDate: undefined },
      outcome: { kind: 'paid', urlConfirm },
      receipt: { ...receipt, method: 'MBWAY', phone: '+351 ••• 678' },
      manage,
    }),
  '/subscription/active': (locale) => subscription(locale),
  '/subscription/sure': (locale) => subscription(locale, { confirming: true }),
  '/subscription/canceled': (locale) =>
    subscription(locale, { status: 'CANCELED', left: undefined, charges: [], chargeCount: 0 }),
  '/errors': (locale) =>
    renderCheckoutPage(
      checkout(locale, {
        errors: { number: 'invalid', expiry: 'expired', vcode: 'missing', phone: 'missing' },
        filledIn: { name: 'Ana Sousa', expiry: '01 / 20', email: 'ana@exemplo.pt' },
      }),
    ),
  '/declined': (locale) =>
    renderCheckoutPage(
      checkout(locale, {
        notice: { kind: 'declined', reason: 'insufficient_funds' },
        panels: { CC: cardPanel({ kept: { type: 'visa', last4: '0092' } }) },
        filledIn: { name: 'Ana Sousa', expiry: '08 / 29', email: 'ana@exemplo.pt' },
      }),
    ),
  '/paid-late': (locale) =>
    renderResultPage({ ...frame(locale), late: true, outcome: { kind: 'paid', urlConfirm }, receipt }),
  '/not-authenticated': (locale) =>
    renderCheckoutPage(checkout(locale, { notice: { kind: 'authentication_failed', reason: 'cancelled' } })),
  '/waiting': (locale) => renderWaitingPage(waiting(locale)),
  '/waiting-with-clock': (locale) => renderWaitingPage({ ...waiting(locale), secondsLeft: 238 }),
  '/waiting-for-phone': (locale) =>
    renderWaitingPage({
      ...waiting(locale),
      secondsLeft: 238,
      message: mbwayTexts[locale].waiting('+351\u00a0912\u00a0345\u00a0678'),
      withdraw: {
        path: `/checkout/${checkoutId}/withdraw?lang=${locale}`,
        label: mbwayTexts[locale].wrongNumber,
        others: true,
      },
    }),
  '/withdrawn': (locale) =>
    renderCheckoutPage(
      checkout(locale, {
        methods: ['CC', 'MBWAY', 'MB', 'PAYPAL', 'WALLET', 'SEPA'],
        chosen: 'MBWAY',
        filledIn: { phone: '+351912345678' },
        notice: { kind: 'message', calm: true, ...mbwayTexts[locale].withdrawn },
      }),
    ),
  '/card-on-next-page': (locale) =>
    renderCheckoutPage(checkout(locale, { panels: { CC: cardPanel({ atAcquirer: true }) } })),
  '/acquirers-card-form': (locale) =>
    renderCardFormPage({
      ...frame(locale),
      script: cardFormScript,
      attributes: { class: 'acquirer-card', 'data-request': '1' },
      leavePath: `/checkout/${checkoutId}/withdraw?lang=${locale}`,
    }),
  '/method': (locale) => renderMethodPage(method(locale)),
  '/proceed': (locale) => renderProceedPage({ ...frame(locale), continueUrl: '/continue' }),
  '/challenge': (locale) => renderChallengePage(challenge(locale)),
  '/paid': (locale) => result(locale, { kind: 'paid', urlConfirm }),
  '/reserved': (locale) => result(locale, { kind: 'reserved', urlConfirm }),
  '/failed': (locale) => result(locale, { kind: 'failed', urlCancel }),
  '/cancelled': (locale) => result(locale, { kind: 'cancelled', urlCancel }),
  '/expired': (locale) => result(locale, { kind: 'expired', urlCancel }),
  '/suspended': (locale) => result(locale, { kind: 'suspended', urlCancel }),
  '/too-many-cards': (locale) => result(locale, { kind: 'too_many_cards', urlCancel }),
  '/voided': (locale) => result(locale, { kind: 'voided', urlCancel }),
  '/branded': (locale) =>
    renderCheckoutPage(checkout(locale, { brand, methods: ['CC', 'MB', 'MBWAY'], chosen: 'CC' })),
  '/branded-result': (locale) =>
    renderResultPage({ ...frame(locale), brand, outcome: { kind: 'paid', urlConfirm }, receipt }),
  '/link': (locale) => link(locale),
  '/link-with-amount': (locale) =>
    link(locale, {
      amount: undefined,
      bounds: { least: cents(500), most: cents(50000) },
      wrongAmount: '1.234',
    }),
  '/link-used': (locale) => link(locale, { state: 'USED' }),
  '/link-taken': (locale) => link(locale, { state: 'taken' }),
  '/link-closed': (locale) => link(locale, { state: 'CLOSED' }),
  '/paid-by-link': (locale) =>
    renderResultPage({
      ...frame(locale),
      outcome: { kind: 'paid', urlConfirm },
      receipt,
      backToLink: 'Tentar de novo',
    }),
  '/not-found': (locale) => renderProblemPage({ locale, assets, simulated, problem: 'not_found' }),
  '/internal': (locale) =>
    renderProblemPage({
      locale,
      assets,
      problem: 'internal',
      tid: attemptToken,
      retryUrl: `/checkout/${checkoutId}`,
    }),
}

/** Serves the samples with the gateway's assets and policy. The caller adds routes, listens and closes. */
export function pagesServer(): FastifyInstance {
  const app = Fastify()
  app.register(fastifyStatic, {
    root: new URL('../../dist/web', import.meta.url).pathname,
    prefix: '/assets/',
  })
  app.addHook('onSend', async (request, reply) => {
    const targets = request.url.startsWith('/acquirers-card-form')
      ? { cardFormScript }
      : { formTargets: [elsewhere], frameTargets: [elsewhere], framedByUs: true }
    reply.header('content-security-policy', contentSecurityPolicy(targets))
  })
  for (const [path, render] of Object.entries(samples)) {
    app.get(path, (request, reply) => {
      const query = request.query as Record<string, string>
      reply.type('text/html; charset=utf-8').send(render(pickLocale(query)))
    })
  }
  brandingRoutes(undefined as never)(app as never)
  app.get('/method-done', (_request, reply) => {
    reply.type('text/html; charset=utf-8').send(renderMethodDonePage({ locale: 'pt', assets, simulated }))
  })
  return app
}
