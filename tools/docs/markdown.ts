// Changes that turn docs/*.md into pages of the site.
import { dirname, join, relative, resolve } from 'node:path'
import { drawingOf } from './diagram.ts'
import { isForContributors, ownOrigin, projectRoot, siteHas, sourceFolder, textOf } from './navigation.ts'
import { readTables, type TableToken } from './tables.ts'

/** Each page links to the list of all pages, because on a phone the side bar needs scripts. */
const allPages = (page = '') =>
  page.includes('/pt/')
    ? '\n\n<p class="all-pages"><a href="/docs/">Todas as páginas, em inglês</a></p>\n'
    : '\n\n<p class="all-pages"><a href="/docs/">All pages</a></p>\n'

/** Remarks in brackets that link only to pages for contributors. The guides on the site omit them. */
const asides = /\s*\((?:\[[^\]]*\]\((?:\.\.\/)?(?:decisions|inside|states)\b[^)]*\)(?:,\s*|\s+and\s+)?)+\)/g

export function withoutAsides(text: string): string {
  return text.replaceAll(asides, '')
}

/** The part of Markdown-it that this file uses. */
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
}

export function readAsPages(md: MarkdownIt): void {
  md.core.ruler.before('normalize', 'asides', (state) => {
    const text = isForContributors(inDocsOf(state.env.path)) ? state.src : withoutAsides(state.src)
    state.src = text + allPages(state.env.path)
  })
  md.core.ruler.push('links', (state) => eachLink(state))
  md.core.ruler.push('tables', ({ tokens }) => readTables(tokens))
  const { fence, link_open: linkOpen } = md.renderer.rules
  md.renderer.rules.link_open = (tokens, index, ...others) => ownLink(linkOpen(tokens, index, ...others))
  md.renderer.rules.fence = (tokens, index, ...others) => {
    const { info, content } = tokens[index] as Token
    return /^mermaid\b/.test(info) ? drawingOf(content) : fence(tokens, index, ...others)
  }
}

/** Changes a link to the gateway of the quick start: it leads to our own gateway, in the same tab. */
function ownLink(html: string): string {
  if (!html.includes(`"${ownOrigin}/`)) return html
  return html
    .replace(ownOrigin, '')
    .replace(/ target="_blank"/, ' target="_self"')
    .replace(/ rel="[^"]*"/, '')
}

/** The path of a page in `docs`. */
function inDocsOf(page = sourceFolder): string {
  return relative(sourceFolder, page)
}

/** Changes each link, so that it leads to a page of the site, or to a file that the site shows. */
function eachLink({ env, tokens }: State): void {
  const page = env.path ?? sourceFolder
  for (const { children } of tokens) {
    let isLink = true
    for (const token of children ?? []) {
      if (token.type === 'link_open') isLink = leadTo(token, page)
      if (isLink || !/^link_(open|close)$/.test(token.type)) continue
      token.tag = 'span'
      token.attrs = null
    }
  }
}

/** Whether the site has the target of a link. A page for contributors may name any file of the repository. */
function leadTo(link: TableToken, page: string): boolean {
  const target = String(link.attrGet('href'))
  if (/^([a-z]+:|#|\/)/.test(target)) return true
  const [path = ''] = target.split('#')
  const file = resolve(dirname(page), path)
  const text = textOf(relative(projectRoot, file))
  const isThere = siteHas(file)
  if (!isThere && isForContributors(inDocsOf(page))) return false
  if (!isThere)
    throw new Error(
      `${page}: the site has nothing at ${target}. Link to a page, or to a file of deploy, drivers or examples.`,
    )
  if (text !== undefined) link.attrSet('href', join('/', text))
  return true
}
