// What the pages have in common: the frame, the way from one to the other, the timeline, and where callbacks go.
import { type Html, html } from './html.ts'
import type { Fields, Framed, Shop, Visit } from './shop.ts'
import { entryItem } from './timeline.ts'
import { type Language, words } from './words/index.ts'

/** What one page shows, besides what all show. */
export interface Content {
  readonly title: string
  readonly lead: string
  readonly nothingYet: string
  /** What the page's address names besides session and language. */
  readonly about: Fields
  readonly head?: Html
  /** What the visitor does. */
  readonly main: Html
  /** Below the timeline. */
  readonly aside?: Html
}

export interface Page {
  readonly path: '/' | '/subscriptions' | '/selling'
  content(shop: Shop, visit: Visit): Promise<Content>
  /** The parts that change while the page is looked at, by the name of their place: `notice` and others. */
  places(shop: Shop, visit: Visit): Readonly<Record<string, Html>>
  /** What its forms do, by path; each answers where the browser goes next. */
  readonly forms: Readonly<Record<string, (shop: Shop, visit: Visit) => Promise<string>>>
  /** The browser has come back from the gateway; answers where it goes next. */
  comeBack(shop: Shop, visit: Visit): Promise<string>
}

export async function drawPage(shop: Shop, page: Page, visit: Visit): Promise<string> {
  const { options, base } = shop
  const { language } = visit
  const content = await page.content(shop, visit)
  const draw = options.layout ?? ownLayout(base)
  const [notice, callbacks] = [page.places(shop, visit).notice, await callbacksNote(shop, language)]
  return draw({
    title: content.title,
    language,
    translated: shop.path(page.path, { ...visit, language: otherLanguage(language) }, content.about),
    head: html`
      <link rel="stylesheet" href="${base}/shop.css">
      ${content.head}
      <script type="module" src="${base}/shop.js"></script>`.text,
    body: html`
      <p class="lead">${content.lead}</p>
      <p class="links"><a class="to-timeline" href="#timeline">${words[language].timeline.title}</a></p>
      ${tabs(shop, page, visit)}
      <div data-notice>${notice}</div>
      <div class="shop">
        <div>${content.main}${callbacks}</div>
        <div>${timeline(shop, page, visit, content)}${content.aside}</div>
      </div>`.text,
  })
}

/** The fields that every form carries. */
export function formFields({ session, language, attempt }: Visit): Html {
  return html`
    <input type="hidden" name="session" value="${session.id}">
    <input type="hidden" name="lang" value="${language}">
    <input type="hidden" name="attempt" value="${attempt}">`
}

function tabs(shop: Shop, page: Page, visit: Visit): Html {
  const say = words[visit.language].tabs
  const tab = (path: Page['path'], name: string) =>
    html`<a href="${shop.path(path, visit)}"${page.path === path && html` aria-current="page"`}>${name}</a>`
  return html`<nav class="tabs" aria-label="${say.label}">${[tab('/', say.basket), tab('/subscriptions', say.subscription), tab('/selling', say.selling)]}</nav>`
}

function timeline(shop: Shop, page: Page, visit: Visit, { about, nothingYet }: Content): Html {
  const say = words[visit.language].timeline
  const newestFirst = visit.session.entries.toReversed()
  const events = shop.path(`${page.path}/events`.replace('//', '/'), visit, about)
  return html`
    <section class="box">
      <h2 id="timeline">${say.title}</h2>
      <p class="muted small">${say.says}</p>
      <div role="log" aria-labelledby="timeline">
        <ol class="timeline" data-timeline data-events="${events}" data-last="${newestFirst[0]?.id}">${newestFirst.map((entry) => entryItem(entry, visit.language))}</ol>
      </div>
      <p class="muted nothing-yet">${nothingYet}</p>
    </section>`
}

async function callbacksNote({ options, callbackUrl }: Shop, language: Language): Promise<Html> {
  const say = words[language]
  const { walletId } = await options.credentials()
  const command = (address: string) =>
    html`<pre class="command">npx comporta merchant set ${walletId} <span>--callback-url</span> ${address}</pre>`
  if (options.callbackAddress === undefined)
    return html`<p class="small">${say.callbacksByHand}</p>${command(callbackUrl)}`
  const address = await options.callbackAddress.read()
  const [before, after] = say.callbacksElsewhere
  return address === null || address === callbackUrl
    ? html`<p class="small">${say.callbacksHere}</p>${command('https://shop.example/callbacks')}`
    : html`<p class="small">${before} <code>${address}</code>, ${after}</p>${command(callbackUrl)}`
}

function otherLanguage(language: Language): Language {
  return language === 'pt' ? 'en' : 'pt'
}

/** The shop by itself: its name, and the other language. */
function ownLayout(base: string) {
  return ({ title, language, translated, head, body }: Framed): string => {
    const other = otherLanguage(language)
    return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${base}/base.css">
    ${head}
  </head>
  <body class="broad">
    <header class="bar">
      <div class="bar-inner">
        <a class="brand" href="${base}/?lang=${language}">${words[language].title}</a>
        ${html`<a class="nav-link" href="${translated}" hreflang="${other}" lang="${other}">${words[other].language}</a>`}
      </div>
    </header>
    <main class="wide">
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`
  }
}
