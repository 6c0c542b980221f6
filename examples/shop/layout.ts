// Page layout and forms.
import { type Html, html, notice } from './html.ts'
import { filled, type Language, textFor, texts } from './i18n/index.ts'
import type { ShopOptions, Visit } from './shop.ts'

export interface Content {
  readonly say: { readonly title: string; readonly lead: string; readonly nothingYet: string }
  readonly head?: Html
  readonly notice: Html | undefined
  readonly main: Html
  readonly aside?: Html
}

export interface Page {
  readonly path: '/' | '/subscriptions' | '/selling'
  content(visit: Visit): Promise<Content>
  /** The forms of the page by their path. Each returns the address of the next page. */
  readonly forms: Readonly<Record<string, (visit: Visit) => Promise<string>>>
  /** Asks for the result when the customer comes back from the gateway. Returns the address of the next page. */
  comeBack(visit: Visit): Promise<string>
}

/** Draws the page. A script replaces its parts when they change. */
export async function drawPage(page: Page, visit: Visit): Promise<string> {
  const { shop, language, path, say, fields } = visit
  const { say: own, head, notice: news, main, aside } = await page.content(visit)
  const { session: _, lang, ...about } = fields
  const tab = (to: Page['path'], name: string) =>
    html`<a href="${path(to)}"${page.path === to && html` aria-current="page"`}>${name}</a>`
  const problem = textFor(say.problems, fields.problem)
  const events = path(`${page.path}/events`.replace('//', '/'))
  return (shop.options.layout ?? ownLayout(shop.base))({
    ...{ title: own.title, language, translated: path(page.path, about, otherLanguage(language)) },
    head: html`<link rel="stylesheet" href="${shop.base}/shop.css">${head}<script type="module" src="${shop.base}/shop.js"></script>`
      .html,
    body: html`
      <p class="lead">${own.lead}</p>
      <p class="to-timeline"><a href="#timeline">${say.timeline.title}</a></p>
      <nav class="tabs" aria-label="${say.tabs.label}">${tab('/', say.tabs.basket)}${tab('/subscriptions', say.tabs.subscription)}${tab('/selling', say.tabs.selling)}</nav>
      <div data-notice>${problem === undefined ? news : notice(problem, true)}</div>
      <div class="shop">
        <div>${main}${await callbacksNote(visit)}</div>
        <div>
          <section class="box">
            <h2 id="timeline">${say.timeline.title}</h2>
            <p class="muted small">${say.timeline.says}</p>
            <div role="log" aria-labelledby="timeline">
              <ol class="timeline" data-timeline data-events="${events}">${visit.session.entries.map((entry) => entryItem(entry, say)).reverse()}</ol>
            </div>
            <p class="muted nothing-yet">${own.nothingYet}</p>
          </section>
          ${aside}
        </div>
      </div>`.html,
  })
}

/** A form with the fields that every form has. With `attempt`, a double click acts only once. */
export function form(visit: Visit, action: string, inside: Html, attributes = html``): Html {
  return html`
    <form method="post" action="${visit.shop.base}${action}" ${attributes}>
      <input type="hidden" name="session" value="${visit.id}">
      <input type="hidden" name="lang" value="${visit.language}">
      <input type="hidden" name="attempt" value="${crypto.randomUUID()}">
      ${inside}
    </form>`
}

export function button(
  { shop }: Visit,
  action: string,
  text: string,
  attributes = html`class="quiet"`,
): Html {
  return html`<button type="submit" formaction="${shop.base}${action}" ${attributes}>${text}</button>`
}

export function amountRow(name: string, label: string, example: string, buttons: Html): Html {
  return html`
    <label for="amount-${name}">${label}</label>
    <div class="row">
      <input class="grow" id="amount-${name}" name="amount" value="${example}" inputmode="decimal" autocomplete="off" maxlength="12">
      ${buttons}
    </div>`
}

function entryItem(entry: Visit['session']['entries'][number], { timeline: say }: Visit['say']): Html {
  const { id, at, kind, title, sent, answer, genuine } = entry
  const { status, text = '', durationMs = 0 } = answer ?? {}
  const isGood = kind === 'request' ? status !== undefined && status < 400 : genuine
  const judged = genuine ? [say.genuine, say.verified] : [say.forged, say.rejected]
  const answered = [status ?? '—', filled(say.answered, { status: status ?? '—', durationMs })]
  const [outcome, result] = kind === 'request' ? answered : judged
  return html`
    <li class="entry" id="entry-${id}">
      <details>
        <summary>
          <small>${say[kind]}</small> <code class="what">${title}</code>
          <span class="outcome ${isGood ? 'good' : 'bad'}">${outcome}</span>
          <time datetime="${at.toISOString()}">${at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Lisbon' })}</time>
        </summary>
        <p class="muted small">${kind === 'request' ? say.sent : say.received}</p>
        <pre>${sent.join('\n')}</pre>
        <p class="muted small">${result}</p>
        ${text !== '' && html`<pre>${text}</pre>`}
      </details>
    </li>`
}

async function callbacksNote({ shop: { options, callbackUrl }, say }: Visit): Promise<Html> {
  const { wallet_id } = await options.credentials()
  const address = await options.callbackAddress?.read()
  const isSet = address === null || address === callbackUrl
  const text = isSet ? say.callbacksHere : address ? say.callbacksElsewhere : say.callbacksByHand
  return html`
    <p class="small">${filled(text, { address: address ?? '' })}</p>
    <pre class="command">npx comporta merchant set ${wallet_id} <span>--callback-url</span> ${isSet ? 'https://shop.example/callbacks' : callbackUrl}</pre>`
}

const otherLanguage = (language: Language): Language => (language === 'pt' ? 'en' : 'pt')

function ownLayout(base: string): NonNullable<ShopOptions['layout']> {
  return ({ title, language, translated, head, body }) => {
    const other = otherLanguage(language)
    return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,"><link rel="stylesheet" href="${base}/base.css">${head}
  </head>
  <body>
    <header><a href="${html`${translated}`.html}" hreflang="${other}" lang="${other}">${texts[other].language}</a></header>
    <main class="wide"><h1>${title}</h1>${body}</main>
  </body>
</html>
`
  }
}
