// The frame around every page of the sandbox, and how such pages are sent.
import { html } from 'ghtml'
import type { AppReply } from '../../http/index.ts'
import type { Language } from '../issuer/words.ts'

interface Section {
  readonly path: string
  readonly name: string
  /** Of pages that speak Portuguese too. */
  readonly namePt: string
  readonly says: string
}

/** The sandbox's own pages, in the order of its navigation. */
export const sections: readonly Section[] = [
  {
    path: '/sandbox/shop',
    name: 'Demo shop',
    namePt: 'Loja',
    says: 'A merchant to buy from and subscribe to. See every request and callback as it happens.',
  },
  {
    path: '/sandbox/phone',
    name: 'Phone',
    namePt: 'Telemóvel',
    says: 'The payment app on a customer’s phone. Approve, refuse, and change mandates.',
  },
  {
    path: '/sandbox/issuer',
    name: 'Issuer',
    namePt: 'Banco emissor',
    says: 'The bank that asks its cardholder for a code. See who is being asked.',
  },
  {
    path: '/sandbox/atm',
    name: 'ATM',
    namePt: 'Multibanco',
    says: 'Pay a reference at the machine around the corner.',
  },
  {
    path: '/sandbox/home-banking',
    name: 'Home banking',
    namePt: 'Homebanking',
    says: 'Pay a reference from the sofa, while its checkout is open in another window.',
  },
  {
    path: '/sandbox/bank',
    name: 'Bank',
    namePt: 'Banco',
    says: 'Settle or return debits and payouts, and transfer money to wallets.',
  },
  {
    path: '/sandbox/clock',
    name: 'Clock',
    namePt: 'Relógio',
    says: 'Move the gateway’s time forward and run what becomes due.',
  },
  {
    path: '/sandbox/button',
    name: 'Buttons',
    namePt: 'Botões',
    says: 'Images for the button that leads to pay, every variant with its HTML.',
  },
  {
    path: '/sandbox/badge',
    name: 'Badge',
    namePt: 'Selo',
    says: 'A script that says on a merchant’s page what can be paid with.',
  },
]

export interface ToolPage {
  readonly title: string
  readonly path: string
  /** Trusted HTML. */
  readonly body: string
  /** English where a page speaks nothing else. */
  readonly lang?: Language
  /** What else belongs into `<head>`; trusted HTML. */
  readonly head?: string
  /** `broad`: room for two columns. */
  readonly layout?: 'narrow' | 'broad'
}

/** A page for whoever builds on the gateway. */
export function toolPage({ title, path, body, lang = 'en', head, layout = 'narrow' }: ToolPage): string {
  const links = sections.map(
    (section) =>
      html`<a class="nav-link" href="${section.path}" !${section.path === path ? 'aria-current="page"' : ''}>${lang === 'pt' ? section.namePt : section.name}</a>`,
  )
  return documentOf({
    lang,
    title: `${title} · Comporta sandbox`,
    bodyClass: layout,
    ...(head === undefined ? {} : { head }),
    content: html`
      <header class="bar">
        <div class="bar-inner">
          <a class="brand" href="/sandbox">Comporta <span>sandbox</span></a>
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
  /** Name of the pretend bank. */
  readonly bank: string
  readonly title: string
  /** Trusted HTML. */
  readonly body: string
  /** Whether the page's form goes on by itself where scripts run. */
  readonly goesOn?: boolean
}

/** A page that a cardholder sees. */
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
  /** Name of the pretend company. */
  readonly name: string
  readonly title: string
  /** What nobody must overlook. */
  readonly note: string
  /** Trusted HTML. */
  readonly body: string
}

/** A page of somebody who is not the gateway, and looks it. */
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

/** A page that fills a customer's phone. `body` is trusted HTML with its own header and main part. */
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

/** A page of nothing but a form that goes on by itself; shown in hidden frames. */
export function silentPage({ title, body }: { title: string; body: string }): string {
  return documentOf({ lang: 'en', title, content: html`<main>!${body}</main>!${goesOnScript}` })
}

interface Document {
  readonly lang: string
  readonly title: string
  readonly content: string
  readonly bodyClass?: string
  readonly head?: string
}

function documentOf({ lang, title, content, bodyClass, head }: Document): string {
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
  <body class="${bodyClass ?? ''}">!${content}</body>
</html>
`
}

const basePolicy = [`default-src 'none'`, `style-src 'self'`, `img-src 'self' data:`, `base-uri 'none'`]

export interface PageSending {
  /**
   * Whether the page's form leads away from here. Browsers hold `form-action` against redirects that
   * follow the post too, and nobody but the merchant knows where those end.
   */
  readonly leadsAway?: boolean
  /** Whether other sites may show the page in a frame, as 3-D Secure lets them. */
  readonly framed?: boolean
  /** Whether the page asks again how things stand. */
  readonly asks?: boolean
  /** The page is a merchant's, and shows the secure form fields of the gateway at this address. */
  readonly merchantOf?: string
}

/** Sends HTML that is never cached, under a policy that lets nothing in but our own files. */
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
    .send(page)
}
