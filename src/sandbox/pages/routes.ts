// The sandbox's front page, the list of open challenges, and the few files that all its pages share.
import { readFileSync } from 'node:fs'
import { html } from 'ghtml'
import type { App } from '../../http/index.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import { amountInWords } from '../issuer/amounts.ts'
import { listedMax, maskedCard } from '../issuer/model.ts'
import { listOpenChallenges } from '../issuer/store.ts'
import { challengePath } from '../issuer/three-d-secure.ts'
import { brandOf, testCards } from '../test-cards.ts'
import { sections, sendPage, toolPage } from './layout.ts'
import { timeInWords } from './time.ts'

const page = { config: { auth: 'none', page: true }, schema: { hide: true } } as const
const assetMaxAgeSeconds = 300

const assets = [
  { file: 'sandbox.css', type: 'text/css; charset=utf-8' },
  { file: 'submit.js', type: 'text/javascript; charset=utf-8' },
] as const

export function pageRoutes({ database, clock }: { database: Database; clock: Clock }): (app: App) => void {
  return (app) => {
    app.get('/sandbox', page, async (_, reply) =>
      sendPage(
        reply,
        toolPage({ title: 'The pretend outside world', path: '/sandbox', body: indexOf(clock) }),
      ),
    )

    app.get('/sandbox/issuer', page, async (_, reply) => {
      const open = await listOpenChallenges(database, clock.now(), listedMax)
      const rows = open.map(
        (challenge) => html`
          <tr>
            <td>${challenge.merchantName}</td>
            <td class="right number">${amountInWords(challenge, 'en')}</td>
            <td class="number">${maskedCard(challenge)}</td>
            <td class="number">${challenge.otp}</td>
            <td><a href="${challengePath}/${challenge.acsTransId}">Open<span class="for-readers"> the question of ${challenge.merchantName}</span></a></td>
          </tr>`,
      )
      const body = html`
        <p class="lead">Cardholders who are being asked for a code right now, newest first.</p>
        !${rows.length === 0 ? '<p class="note">Nobody is being asked.</p>' : tableOf(['Merchant', 'Amount', 'Card', 'Code', ''], rows.join(''))}`
      return sendPage(reply, toolPage({ title: 'Issuer', path: '/sandbox/issuer', body }))
    })

    for (const { file, type } of assets) {
      const content = readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8')
      app.get(`/sandbox/assets/${file}`, page, async (_, reply) =>
        reply
          .header('content-type', type)
          .header('cache-control', `public, max-age=${assetMaxAgeSeconds}`)
          .send(content),
      )
    }
  }
}

function indexOf(clock: Clock): string {
  const links = sections.map(
    ({ path, name, says }) =>
      html`<li><a class="card-link" href="${path}"><strong>${name}</strong> ${says}</a></li>`,
  )
  const rows = testCards.map(
    ({ number, outcome }) => html`
      <tr><td class="number">${grouped(number)}</td><td>${brandNames[brandOf(number)] ?? ''}</td><td>${outcome}</td></tr>`,
  )
  return html`
    <p class="lead">
      Nothing here moves money. Banks, phones and time are played by the gateway itself, so that every outcome
      can be tried. For the gateway it is now <strong>${timeInWords(clock.now())}</strong>.
    </p>
    <ul class="cards">!${links}</ul>
    <h2>Test cards</h2>
    <p class="muted">Any future expiry and any security code. Every other valid number is approved.</p>
    !${tableOf(['Number', 'Brand', 'Outcome'], rows.join(''))}`
}

function tableOf(heads: readonly string[], rows: string): string {
  const cells = heads.map((head) => (head === '' ? '<td></td>' : html`<th scope="col">${head}</th>`))
  return html`<div class="scroller" tabindex="0" role="region" aria-label="Table"><table><thead><tr>!${cells}</tr></thead><tbody>!${rows}</tbody></table></div>`
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
}

/** Digits in the groups that are printed on the card. */
function grouped(number: string): string {
  return number.length === 15
    ? number.replace(/^(\d{4})(\d{6})(\d{5})$/, '$1 $2 $3')
    : number.replace(/(\d{4})(?=\d)/g, '$1 ')
}
