// The gateway's landing page in sandbox mode.
import { html } from 'ghtml'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from './layout.ts'
import { pageWords } from './messages.ts'

export interface Landing {
  readonly baseUrl: string
  readonly authScheme: string
}

export function landingPage({ baseUrl, authScheme }: Landing, lang: Language): string {
  const words = pageWords[lang].landing
  const links = [
    { href: `/sandbox/shop?lang=${lang}`, link: words.shop },
    { href: `/sandbox?lang=${lang}`, link: words.sandbox },
    { href: lang === 'pt' ? '/docs/pt/' : '/docs/', link: words.docs },
  ].map(
    ({ href, link: [name, says] }) =>
      html`<li><a class="card-link" href="${href}"><strong>${name}</strong> ${says}</a></li>`,
  )
  return toolPage({
    title: words.title,
    path: '/sandbox/start',
    lang,
    body: html`
      <p class="lead">${words.lead}</p>
      <ul class="cards">!${links}</ul>
      <h2>${words.first}</h2>
      <p>${words.firstHelp}</p>
      <pre class="call" tabindex="0" role="region" aria-label="${words.first}"><code>${callOf(baseUrl, authScheme)}</code></pre>
      <p class="muted">${words.keys}</p>`,
  })
}

function callOf(baseUrl: string, authScheme: string): string {
  const body = {
    payment: { amount: 10, currency: 'EUR' },
    url_confirm: `${baseUrl}/sandbox/thanks`,
    url_cancel: `${baseUrl}/sandbox/thanks`,
  }
  return [
    `curl -s ${baseUrl}/api/v2/checkout \\`,
    `  -H 'Authorization: ${authScheme} <API_KEY>' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n')
}
