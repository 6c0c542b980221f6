// Pages of the documentation site, in the order of its side bar.
import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'

export const projectRoot = join(import.meta.dirname, '../..')
export const sourceFolder = join(projectRoot, 'docs')
/** The gateway of the quick start. On the site, its links lead to the gateway that shows the page. */
export const ownOrigin = 'http://127.0.0.1:8080'

/** Files with long tables and measurements, which are only in the repository. */
export const notPages = [
  'SPEC-MAP.md',
  'performance.md',
  'decisions/template.md',
  'inside/{paths,permissions}.md',
]

/** Pages for contributors. They may name any file of the repository, and the site does not link to it. */
const forContributors = ['ARCHITECTURE.md', 'glossary.md', 'decisions/**', 'inside/**', 'states/**']

interface Group {
  readonly title: string
  readonly pages: readonly string[]
}

/** The guides have three parts, each with its own order. A name without a page is skipped. */
const readers: readonly { readonly title: string; readonly groups: readonly Group[] }[] = [
  {
    title: 'Take payments',
    groups: [
      { title: 'Start', pages: ['quick-start', 'concepts', 'sandbox', 'local-callbacks', 'commands', 'sdk'] },
      {
        title: 'Ways to pay',
        pages: [
          'checkout',
          'embedded-checkout',
          'payment-links',
          'customers',
          'card-api',
          'secure-fields',
          'mb-way',
          'references',
        ],
      },
      {
        title: 'After the payment',
        pages: [
          'callbacks',
          'callbacks-in-production',
          'callback-endpoints',
          'callback-examination',
          'authorizations',
          'refunds-and-splits',
          'refund-references',
          'subscriptions',
          'automatic-charges',
          'money',
          'mail',
        ],
      },
      {
        title: 'Rules of the API',
        pages: [
          'statuses',
          'errors',
          'idempotency',
          'paging',
          'compatibility',
          'versioning',
          'signed-history',
        ],
      },
      { title: 'Your shop', pages: ['backoffice', 'branding', 'button-and-badge', 'woocommerce'] },
    ],
  },
  {
    title: 'Run it',
    groups: [
      {
        title: 'Go live',
        pages: [
          'going-live',
          'connect-a-provider',
          'eupago',
          'ifthenpay',
          'sibs',
          'stripe',
          'paypal',
          'easypay',
          'multibanco-entity',
          'pci-dss',
        ],
      },
      {
        title: 'Set up',
        pages: [
          'deploying',
          'reverse-proxy',
          'several-processes',
          'high-availability',
          'scaling',
          'settings',
          'operator-commands',
          'merchants',
        ],
      },
      {
        title: 'Every day',
        pages: ['runbook', 'runbook-money', 'runbook-cell', 'observability', 'troubleshooting', 'security'],
      },
      { title: 'Data', pages: ['backups', 'standby', 'upgrading', 'rotating-keys', 'history-proofs'] },
      {
        title: 'Money',
        pages: ['disputes', 'suspense', 'reconciliation', 'bank-files', 'bank-by-hand'],
      },
    ],
  },
  {
    title: 'Build on it',
    groups: [
      {
        title: 'The code',
        pages: ['ARCHITECTURE', 'inside/one-payment', 'glossary', 'inside/testing', 'decisions/README'],
      },
      {
        title: 'How to',
        pages: ['inside/adding-a-method', 'inside/drivers', 'inside/idempotency', 'inside/backoffice'],
      },
      { title: 'States', pages: pagesIn('states') },
      { title: 'Facts', pages: pagesIn('inside') },
    ],
  },
]

/** Names of the pages in a folder of `docs`, without `.md`, in the order of the alphabet. */
function pagesIn(folder: string): string[] {
  return namesOf(`${folder}/*.md`)
}

function namesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: sourceFolder, exclude: notPages })
    .map((path) => path.slice(0, -'.md'.length))
    .sort()
}

/** Whether a page, by its path in `docs`, is one for contributors. */
export function isForContributors(path: string): boolean {
  return forContributors.some((glob) => matchesGlob(path, glob))
}

export function pageNames(): string[] {
  return allPageNames().filter((name) => !isForContributors(`${name}.md`))
}

export function allPageNames(): string[] {
  return namesOf('**/*.md')
}

/** The address at which the site shows a file of the repository as text. Undefined if it does not show the file. */
export function textOf(path: string): string | undefined {
  return /^(deploy|drivers|examples)\//.test(path) ? `files/${path}.txt` : undefined
}

/** The page of a path of the repository, without `docs/`. Undefined if the site has no such page. */
function pageAt(path: string): string | undefined {
  const page = path.slice('docs/'.length)
  const isPage =
    path.startsWith('docs/') && page.endsWith('.md') && !notPages.some((glob) => matchesGlob(page, glob))
  return isPage ? page : undefined
}

/** Whether a path of the repository is a page for people who use the gateway. */
export function isGuide(path: string): boolean {
  const page = pageAt(path)
  return page !== undefined && !isForContributors(page)
}

/** Whether the site shows a file, as a page or as text. */
export function siteHas(file: string, root = projectRoot): boolean {
  const path = relative(root, file)
  const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true
  return isThere && (pageAt(path) !== undefined || textOf(path) !== undefined)
}

/** The files of the repository that pages link to. */
export function linkedFiles(): string[] {
  const linked = allPageNames().flatMap((name) => {
    const file = join(sourceFolder, `${name}.md`)
    const targets = [...readFileSync(file, 'utf8').matchAll(/\]\((\.\.\/[^)#\s]+)\)/g)]
    return targets.map(([, target = '']) => relative(projectRoot, join(dirname(file), target)))
  })
  return [...new Set(linked)].filter((path) => textOf(path) !== undefined && isFile(path)).sort()
}

function isFile(path: string): boolean {
  return statSync(join(projectRoot, path), { throwIfNoEntry: false })?.isFile() === true
}

/** These pages are not in the side bar, because other pages link to them. */
const unlisted = /^(README|pt\/.*|decisions\/\d.*)$/

/**
 * The side bar. A page has its own title, and is in the first group that names it. A page that no group names is in
 * the last one.
 */
export function sideBar() {
  const left = new Set(allPageNames().filter((name) => !unlisted.test(name)))
  // A page that two groups name is listed once.
  const itemsOf = (pages: readonly string[]) => pages.filter((name) => left.delete(name)).map(itemOf)
  const named = readers.map(({ title, groups }) => ({
    text: title,
    items: groups
      .map((group) => ({ text: group.title, items: itemsOf(group.pages) }))
      .map((group) =>
        group.text === 'Rules of the API' ? { ...group, items: [...group.items, reference] } : group,
      )
      .filter(({ items }) => items.length > 0),
  }))
  const others = [...left].map(itemOf)
  return [...named, ...(others.length > 0 ? [{ text: 'More', items: others }] : [])]
}

/** The side bar of the pages in Portuguese. */
export function portugueseSideBar() {
  const names = ['README', 'inicio-rapido', 'receber-pagamentos', 'callbacks', 'devolucoes', 'operar']
  const items = names.map((name) => itemOf(`pt/${name}`))
  const start = { ...items[0], text: 'Início', link: '/pt/' }
  return [{ text: 'Em português', items: [start, ...items.slice(1)] }]
}

/** The reference is not a page of VitePress, so the browser must load it as a whole. */
export const reference = { text: 'API reference', link: '/api/', target: '_self' } as const

function itemOf(name: string) {
  const [, title = name] = /^# (.+)$/m.exec(readFileSync(join(sourceFolder, `${name}.md`), 'utf8')) ?? []
  return { text: title, link: `/${name}` }
}
