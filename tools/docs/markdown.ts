// How the site reads docs/*.md, which is written for readers of the repository too.
import { existsSync } from 'node:fs'
import { dirname, matchesGlob, relative, resolve } from 'node:path'
import { drawingOf } from './diagram.ts'
import { notPages, sourceFolder } from './navigation.ts'
import { readTables, type TableToken } from './tables.ts'

/** The gateway of the quick start: a link to it leads to the gateway that shows the page. */
const ownOrigin = 'http://127.0.0.1:8080'

/** A way on for who reads without scripts, on a phone: the side bar needs one there. */
const allPages = (page = '') =>
  page.includes('/pt/')
    ? '\n\n<p class="all-pages"><a href="/docs/">Todas as páginas, em inglês</a></p>\n'
    : '\n\n<p class="all-pages"><a href="/docs/">All pages</a></p>\n'

/** References to decisions, in brackets. */
const decisions = /\s*\((?:\[[^\]]*\]\((?:\.\.\/)?decisions\/[^)]*\)(?:,\s*|\s+and\s+)?)+\)/g

/** As far as it is used here. */
interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      before(name: string, ours: string, rule: (state: State) => void): void
      push(ours: string, rule: (state: State) => void): void
    }
  }
  readonly renderer: { readonly rules: { fence: Renderer; link_open: Renderer } }
}

type Renderer = (tokens: Token[], index: number, ...others: unknown[]) => string

interface State {
  src: string
  readonly tokens: Token[]
  readonly env: { readonly path?: string }
}

interface Token extends TableToken {
  readonly info: string
  readonly children: Token[] | null
}

/** Adds our rules. */
export function readAsPages(md: MarkdownIt): void {
  md.core.ruler.before('normalize', 'decisions', (state) => {
    state.src = state.src.replaceAll(decisions, '') + allPages(state.env.path)
  })
  md.core.ruler.push('links', (state) => eachLink(state, mendLink))
  md.core.ruler.push('tables', ({ tokens }) => readTables(tokens))
  const { fence, link_open: linkOpen } = md.renderer.rules
  md.renderer.rules.link_open = (tokens, index, ...others) =>
    ownLink(errorLink(linkOpen(tokens, index, ...others)))
  md.renderer.rules.fence = (tokens, index, ...others) => {
    const { info, content } = tokens[index] as Token
    return /^mermaid\b/.test(info) ? drawingOf(content) : fence(tokens, index, ...others)
  }
}

/** A link to the gateway of the quick start, as one to our own gateway, in the same tab. */
function ownLink(html: string): string {
  if (!html.includes(`"${ownOrigin}/`)) return html
  return html
    .replace(ownOrigin, '')
    .replace(/ target="_blank"/, ' target="_self"')
    .replace(/ rel="[^"]*"/, '')
}

/** The builder writes `_` before an anchor of digits; the rows of errors are named by their code alone. */
function errorLink(html: string): string {
  return html.replace(/#_(\d{5})"/, '#$1"')
}

/** Calls `mend` with each link; where it answers false, the link's text stands alone. */
function eachLink(state: State, mend: (link: Token, page: string) => boolean): void {
  const page = state.env.path ?? sourceFolder
  for (const { children } of state.tokens) {
    let isDropped = false
    for (const token of children ?? []) {
      if (token.type === 'link_open') isDropped = !mend(token, page)
      const isLink = token.type === 'link_open' || token.type === 'link_close'
      if (!isLink || !isDropped) continue
      Object.assign(token, { type: 'text', tag: '', content: '', attrs: null, nesting: 0 })
    }
  }
}

function mendLink(link: Token, page: string): boolean {
  const target = String(link.attrGet('href'))
  if (/^([a-z]+:|#|\/)/.test(target)) return true
  const [path = ''] = target.split('#')
  const file = relative(sourceFolder, resolve(dirname(page), path))
  return (
    !file.startsWith('..') &&
    !notPages.some((glob) => matchesGlob(file, glob)) &&
    existsSync(resolve(sourceFolder, file))
  )
}
