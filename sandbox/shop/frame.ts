// What the pages of the demo shop have in common: the ways between them, the timeline, and where callbacks go.
import { html } from 'ghtml'
import { otherLanguage } from '../pages/language.ts'
import { toolPage } from '../pages/layout.ts'
import { pagePath, type Visit } from './addresses.ts'
import type { ShopAssets } from './assets.ts'
import { callbacksPath, type Session, shopPath } from './model.ts'
import { subscriptionPath } from './subscribing/addresses.ts'
import { entryItem } from './timeline.ts'
import { type ShopWords, words } from './words.ts'

/** What every page is drawn from. */
export interface PageGround {
  readonly visit: Visit
  readonly session: Session
  readonly assets: ShopAssets
  readonly baseUrl: string
  readonly merchant: { readonly publicId: string; readonly walletId: bigint }
  /** Where the merchant's callbacks go. */
  readonly callbackUrl: string | null
  /** Differs at each rendering, so that the same form sent twice pays once. */
  readonly attempt: string
}

export interface FramedPage {
  readonly tab: 'basket' | 'subscription'
  readonly title: string
  readonly lead: string
  /** This page in the other language. */
  readonly translated: (visit: Visit) => string
  /** Where the page hears of what happens. */
  readonly events: string
  readonly nothingYet: string
  /** What else belongs into `<head>`; trusted HTML, as all below. */
  readonly head?: string
  readonly notice: string
  /** What the visitor does. */
  readonly doing: string
  /** Below the timeline. */
  readonly beside?: string
}

export function framed(ground: PageGround, page: FramedPage): string {
  const { visit, assets } = ground
  const say = words[visit.language]
  return toolPage({
    title: page.title,
    path: shopPath,
    lang: visit.language,
    translated: page.translated({ ...visit, language: otherLanguage[visit.language].lang }),
    layout: 'broad',
    head: html`
      <link rel="stylesheet" href="${assets.style.url}" integrity="${assets.style.integrity}">
      !${page.head ?? ''}
      <script type="module" src="${assets.script.url}" integrity="${assets.script.integrity}"></script>`,
    body: html`
      <p class="lead">${page.lead}</p>
      <p class="links"><a class="to-timeline" href="#timeline">${say.timeline.title}</a></p>
      !${tabs(visit, page.tab, say)}
      <div data-notice>!${page.notice}</div>
      <div class="shop">
        <div>
          !${page.doing}
          !${callbacksNote(ground, say)}
        </div>
        <div>
          !${timeline(ground, page, say)}
          !${page.beside ?? ''}
        </div>
      </div>`,
  })
}

function tabs(visit: Visit, current: FramedPage['tab'], { tabs: say }: ShopWords): string {
  const tab = (name: FramedPage['tab'], path: string) =>
    html`<a href="${path}" !${name === current ? 'aria-current="page"' : ''}>${say[name]}</a>`
  return html`<nav class="tabs" aria-label="${say.label}">!${[
    tab('basket', pagePath(visit)),
    tab('subscription', subscriptionPath(visit)),
  ]}</nav>`
}

function callbacksNote({ callbackUrl, baseUrl, merchant }: PageGround, say: ShopWords): string {
  const own = baseUrl + callbacksPath
  const elsewhere = callbackUrl !== null && callbackUrl !== own
  const command = html`npx comporta merchant set ${String(merchant.walletId)} <span>--callback-url</span>`
  return elsewhere
    ? html`
      <p class="small">${say.callbacksElsewhere[0]} <code>${callbackUrl}</code>, ${say.callbacksElsewhere[1]}</p>
      <pre class="command">!${command} ${own}</pre>`
    : html`
      <p class="small">${say.callbacksHere}</p>
      <pre class="command">!${command} https://shop.example/callbacks</pre>`
}

function timeline({ visit, session }: PageGround, page: FramedPage, { timeline: say }: ShopWords): string {
  const newestFirst = session.entries.toReversed()
  const last = newestFirst[0]?.id ?? ''
  return html`
    <section class="box">
      <h2 id="timeline">${say.title}</h2>
      <p class="muted small">${say.says}</p>
      <div role="log" aria-labelledby="timeline">
        <ol class="timeline" data-timeline data-events="${page.events}" data-last="${last}">!${newestFirst.map((entry) => entryItem(entry, visit.language))}</ol>
      </div>
      <p class="muted nothing-yet">${page.nothingYet}</p>
    </section>`
}
