// Layout and delivery of sandbox pages.
import { html } from 'ghtml'
import type { AppReply } from '../../src/http/index.ts'
import type { Language } from '../issuer/messages.ts'
import { otherLanguage } from './language.ts'

interface Section {
  readonly path: string
  readonly name: Readonly<Record<Language, string>>
  readonly says: Readonly<Record<Language, string>>
}

/** Sections in the order of the navigation. */
export const sections: readonly Section[] = [
  {
    path: '/sandbox/shop',
    name: { en: 'Demo shop', pt: 'Loja' },
    says: {
      en: 'A merchant to buy from and subscribe to. See every request and callback as it happens.',
      pt: 'Uma loja para comprar e subscrever. Veja cada pedido e cada callback em direto.',
    },
  },
  {
    path: '/sandbox/phone',
    name: { en: 'Phone', pt: 'Telemóvel' },
    says: {
      en: 'The payment app on a customer’s phone. Approve, refuse, and change mandates.',
      pt: 'A aplicação de pagamentos no telemóvel do cliente. Aprove, recuse e altere mandatos.',
    },
  },
  {
    path: '/sandbox/issuer',
    name: { en: 'Issuer', pt: 'Banco emissor' },
    says: {
      en: 'The bank that asks its cardholder for a code. See the open requests.',
      pt: 'O banco que pede um código ao titular do cartão. Veja os pedidos em aberto.',
    },
  },
  {
    path: '/sandbox/atm',
    name: { en: 'ATM', pt: 'Multibanco' },
    says: { en: 'Pay a reference at a cash machine.', pt: 'Pague uma referência numa caixa automática.' },
  },
  {
    path: '/sandbox/home-banking',
    name: { en: 'Home banking', pt: 'Homebanking' },
    says: {
      en: 'Pay a reference on the bank’s website, while its checkout is open in another window.',
      pt: 'Pague uma referência no site do banco, com o checkout aberto noutra janela.',
    },
  },
  {
    path: '/sandbox/bank',
    name: { en: 'Bank', pt: 'Banco' },
    says: {
      en: 'Settle or return debits and payouts, and transfer money to wallets.',
      pt: 'Liquide ou devolva débitos e levantamentos, e faça transferências para carteiras.',
    },
  },
  {
    path: '/sandbox/online-wallet',
    name: { en: 'Online wallet', pt: 'Carteira online' },
    says: {
      en: 'Payments with the test wallet that simulates PayPal. Reverse a payment.',
      pt: 'Pagamentos com a carteira de teste, em vez do PayPal. Recupere um pagamento.',
    },
  },
  {
    path: '/sandbox/mail',
    name: { en: 'Post box', pt: 'Correio' },
    says: {
      en: 'Mail to customers, merchants and teams. Nothing leaves the sandbox.',
      pt: 'E-mails para clientes, lojas e equipas. Nada sai da sandbox.',
    },
  },
  {
    path: '/sandbox/clock',
    name: { en: 'Clock', pt: 'Relógio' },
    says: {
      en: 'Move the gateway’s time forward and run all due work.',
      pt: 'Avance a hora do gateway e execute o que entretanto venceu.',
    },
  },
  {
    path: '/sandbox/chaos',
    name: { en: 'Chaos', pt: 'Caos' },
    says: {
      en: 'Make a rail slow, silent or unreachable, or make a callback fail, and see how your program reacts.',
      pt: 'Torne uma rede de pagamentos lenta, sem resposta ou inacessível, ou faça falhar um callback, e veja como o seu programa reage.',
    },
  },
  {
    path: '/sandbox/button',
    name: { en: 'Buttons', pt: 'Botões' },
    says: {
      en: 'Images for your pay button, every variant with its HTML.',
      pt: 'Imagens para o seu botão de pagamento, cada variante com o seu HTML.',
    },
  },
  {
    path: '/sandbox/badge',
    name: { en: 'Badge', pt: 'Selo' },
    says: {
      en: 'A script that shows on your page which methods you accept.',
      pt: 'Um script que mostra na sua página os métodos que aceita.',
    },
  },
]

export interface ToolPage {
  readonly title: string
  readonly path: string
  readonly body: string
  readonly lang: Language
  /** The address of this page in the other language. Default: this path with `?lang=`. */
  readonly translated?: string
  readonly head?: string
  /** `broad` has two columns. */
  readonly layout?: 'narrow' | 'broad'
}

export function toolPage({ title, path, body, lang, translated, head, layout = 'narrow' }: ToolPage): string {
  const links = sections.map(
    (section) =>
      html`<a class="nav-link" href="${section.path}?lang=${lang}" !${section.path === path ? 'aria-current="page"' : ''}>${section.name[lang]}</a>`,
  )
  const other = otherLanguage[lang]
  return documentOf({
    lang,
    title: `${title} · Comporta sandbox`,
    bodyClass: layout,
    ...(head === undefined ? {} : { head }),
    content: html`
      <header class="bar">
        <div class="bar-inner">
          <a class="brand" href="/sandbox?lang=${lang}">Comporta <span>sandbox</span></a>
          <a class="nav-link" href="${translated ?? `${path}?lang=${other.lang}`}" hreflang="${other.lang}" lang="${other.lang}">${other.name}</a>
          <nav aria-label="Sandbox">!${links}</nav>
        </div>
      </header>
      <main class="wide">
        <h1>${title}</h1>
        !${body}
      </main>`,
  })
}

const shield = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true" focusable="false"><path d="M12 3 5 5.6v5.2c0 4.4 2.9 8.2 7 10.2 4.1-2 7-5.8 7-10.2V5.6L12 3Z"/><path d="m9 12 2.2 2.2L15.2 10"/></svg>`

export interface BankPage {
  readonly lang: string
  readonly bank: string
  readonly title: string
  readonly body: string
  /** Whether a script submits the form. */
  readonly goesOn?: boolean
}

export function bankPage({ lang, bank, title, body, goesOn = false }: BankPage): string {
  return documentOf({
    lang,
    title: `${title} · ${bank}`,
    bodyClass: 'bank',
    content: html`
      <main class="sheet">
        <p class="bank-name">!${shield}${bank}</p>
        <h1>${title}</h1>
        !${body}
      </main>
      !${goesOn ? goesOnScript : ''}`,
  })
}

export interface ThirdPartyPage {
  readonly lang: string
  readonly name: string
  readonly title: string
  readonly note: string
  readonly body: string
}

export function thirdPartyPage({ lang, name, title, note, body }: ThirdPartyPage): string {
  return documentOf({
    lang,
    title: `${title} · ${name}`,
    bodyClass: 'bank third-party',
    content: html`
      <main class="sheet">
        <p class="third-party-name">!${wave}${name}</p>
        <h1>${title}</h1>
        !${body}
        <p class="third-party-note">${note}</p>
      </main>`,
  })
}

const wave = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true" focusable="false"><path d="M3 10c3-4 6-4 9 0s6 4 9 0"/><path d="M3 16c3-4 6-4 9 0s6 4 9 0"/></svg>`

/** A page of the phone. `body` is trusted HTML. */
export function appPage({ lang, title, body }: Pick<BankPage, 'lang' | 'title' | 'body'>): string {
  return documentOf({
    lang,
    title,
    bodyClass: 'app',
    head: '<link rel="stylesheet" href="/sandbox/assets/phone.css">',
    content: `${body}<script src="/sandbox/assets/phone.js"></script>`,
  })
}

const goesOnScript = '<script src="/sandbox/assets/submit.js"></script>'

/** A page for hidden frames, whose form a script submits. */
export function silentPage({ title, body }: { title: string; body: string }): string {
  return documentOf({ lang: 'en', title, content: html`<main>!${body}</main>!${goesOnScript}`, hidden: true })
}

interface Document {
  readonly lang: string
  readonly title: string
  readonly content: string
  /** A hidden page has no banner. */
  readonly hidden?: boolean
  readonly bodyClass?: string
  readonly head?: string
}

/** {@link sendPage} replaces this by the banner. */
const bannerPlace = '<!-- banner -->'

declare module 'fastify' {
  interface FastifyInstance {
    sandboxBanner?: (lang: Language) => string
  }
}

export function withBanner(page: string, { server }: AppReply): string {
  const lang = page.includes('<html lang="pt">') ? 'pt' : 'en'
  return page.replace(bannerPlace, () => server.sandboxBanner?.(lang) ?? '')
}

function documentOf({ lang, title, content, bodyClass, head, hidden = false }: Document): string {
  return html`<!doctype html>
<html lang="${lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/sandbox/assets/sandbox.css">
    !${head ?? ''}
  </head>
  <body class="${bodyClass ?? ''}">!${hidden ? '' : bannerPlace}!${content}</body>
</html>
`
}

const basePolicy = [`default-src 'none'`, `style-src 'self'`, `img-src 'self' data:`, `base-uri 'none'`]

export interface PageSending {
  /**
   * Whether the form leads to another site. Browsers check `form-action` for each later redirect, and these sites are
   * unknown. So such a page allows all.
   */
  readonly leadsAway?: boolean
  /** Whether other sites may show the page in a frame, as in 3-D Secure. */
  readonly framed?: boolean
  /** Whether a script of the page polls. */
  readonly asks?: boolean
  /** The address of the gateway, if the page shows its secure form fields. */
  readonly merchantOf?: string
}

/** Sends HTML that no cache keeps. Its content security policy allows only our own files. */
export function sendPage(
  reply: AppReply,
  page: string,
  { leadsAway = false, framed = false, asks = false, merchantOf }: PageSending = {},
): AppReply {
  const gateway = merchantOf === undefined ? '' : ` ${new URL(merchantOf).origin}`
  const policy = [
    ...basePolicy,
    `script-src 'self'${gateway}`,
    ...(merchantOf === undefined ? [] : [`frame-src${gateway}`]),
    ...(merchantOf === undefined && !asks ? [] : [`connect-src 'self'`]),
    ...(leadsAway ? [] : [`form-action 'self'`]),
    ...(framed ? [] : [`frame-ancestors 'none'`]),
  ]
  if (framed) reply.removeHeader('x-frame-options')
  return reply
    .header('content-security-policy', policy.join('; '))
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin')
    .send(withBanner(page, reply))
}
