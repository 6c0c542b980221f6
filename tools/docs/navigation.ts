// Which of docs/*.md are pages of the site, and in which order its side bar lists them.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const projectRoot = join(import.meta.dirname, '../..')
export const sourceFolder = join(projectRoot, 'docs')

/** What is written for contributors: it is read in the repository, and pages link to it in brackets alone. */
export const notPages = [
  'ARCHITECTURE.md',
  'SPEC-MAP.md',
  'glossary.md',
  'performance.md',
  'decisions/**',
  'inside/**',
  'states/**',
]

interface Group {
  readonly title: string
  readonly pages: readonly string[]
}

const groups: readonly Group[] = [
  { title: 'Start', pages: ['quick-start', 'concepts', 'sdk', 'commands', 'sandbox'] },
  {
    title: 'Take payments',
    pages: ['checkout', 'payment-links', 'card-api', 'secure-fields', 'mb-way', 'references'],
  },
  {
    title: 'After the payment',
    pages: ['callbacks', 'authorizations', 'refunds-and-splits', 'subscriptions', 'money'],
  },
  {
    title: 'Rules of the API',
    pages: ['statuses', 'errors', 'idempotency', 'paging', 'compatibility', 'signed-history'],
  },
  { title: 'Your shop', pages: ['backoffice', 'branding', 'button-and-badge', 'woocommerce'] },
  {
    title: 'Run it',
    pages: [
      'going-live',
      'connect-a-provider',
      'sibs',
      'stripe',
      'multibanco-entity',
      'pci-dss',
      'deploying',
      'reverse-proxy',
      'several-processes',
      'settings',
      'operator-commands',
      'merchants',
      'runbook',
      'runbook-money',
      'backups',
      'standby',
      'upgrading',
      'rotating-keys',
      'disputes',
      'suspense',
      'reconciliation',
      'security',
      'observability',
      'bank-files',
      'bank-by-hand',
      'history-proofs',
      'troubleshooting',
    ],
  },
]

/** Names of the pages, without `.md`; those of Portuguese begin with `pt/`. */
export function pageNames(): string[] {
  return globSync('**/*.md', { cwd: sourceFolder, exclude: notPages }).map((path) =>
    path.slice(0, -'.md'.length),
  )
}

/** Where the site shows a file of the repository that pages may link to, as text; undefined for any other. */
export function textOf(path: string): string | undefined {
  return /^(deploy|drivers|examples)\//.test(path) ? `files/${path}.txt` : undefined
}

/** The files of the repository that pages link to. */
export function linkedFiles(): string[] {
  const linked = pageNames().flatMap((name) => {
    const file = join(sourceFolder, `${name}.md`)
    const targets = [...readFileSync(file, 'utf8').matchAll(/\]\((\.\.\/[^)#\s]+)\)/g)]
    return targets.map(([, target = '']) => relative(projectRoot, join(dirname(file), target)))
  })
  return [...new Set(linked)].filter((path) => textOf(path) !== undefined).sort()
}

/** The side bar: each page by its own title. A page that no group names stands in a last group. */
export function sideBar() {
  const names = new Set(pageNames())
  const listed = groups.flatMap(({ pages }) => pages)
  const others = [...names].filter((name) => !listed.includes(name) && !/^(README|pt\/.*)$/.test(name)).sort()
  return [...groups, { title: 'More', pages: others }]
    .map(({ title, pages }) => ({ text: title, items: pages.filter((name) => names.has(name)).map(itemOf) }))
    .map((group) =>
      group.text === 'Rules of the API' ? { ...group, items: [...group.items, reference] } : group,
    )
    .filter(({ items }) => items.length > 0)
}

/** It is no page of VitePress, so the browser loads it anew. */
export const reference = { text: 'API reference', link: '/api/', target: '_self' } as const

function itemOf(name: string) {
  const [, title = name] = /^# (.+)$/m.exec(readFileSync(join(sourceFolder, `${name}.md`), 'utf8')) ?? []
  return { text: title, link: `/${name}` }
}
