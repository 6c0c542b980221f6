// Search entries of a page: its sections, its rows about a code, and words that readers use.
import { relative } from 'node:path'
import { sourceFolder } from './navigation.ts'

/** A part of a page that the search can find. */
interface Section {
  /** Id of the element that a result leads to. */
  readonly anchor: string
  /** The headings above it. Its own is the last. */
  readonly titles: readonly string[]
  readonly text: string
}

/** Words that readers may use for a subject, if the page uses other words. */
const otherWords: Readonly<Record<string, string>> = {
  authorizations: 'pre-authorization hold reserve',
  backoffice: 'dashboard admin',
  backups: 'backup recovery',
  callbacks: 'webhook webhooks notification retry retries',
  'card-api': '3-D Secure 3DS SCA token tokenization',
  checkout: 'hosted payment page',
  disputes: 'chargeback chargebacks clawback retrieval',
  customers: 'saved card cards wallet one click vault erase gdpr rgpd',
  errors: 'error code codes',
  'going-live': 'production launch checklist',
  idempotency: 'idempotency idempotent retry retries duplicate twice',
  mail: 'email e-mail smtp receipt reminder newsletter unsubscribe',
  'mb-way': 'mobile wallet',
  money: 'settlement balance statement fees withdrawal',
  paging: 'pagination cursor offset',
  'payment-links': 'pay by link',
  references: 'Multibanco ATM voucher',
  'refunds-and-splits': 'marketplace',
  runbook: 'incident alert outage on-call',
  sandbox: 'test cards 3-D Secure',
  'secure-fields': 'hosted fields iframe PCI',
  settings: 'environment variables configuration config',
  statuses: 'state states',
  subscriptions: 'recurring payments',
  troubleshooting: 'problem help',
  upgrading: 'update version migration',
  versioning: 'deprecation semver upgrade changelog compatibility policy',
}

/** A heading with its own link, as the site writes it: level and content. */
const headings = /<h(\d)[^>]*>(.*?<a[^>]* href="#[^"]*"[^>]*>.*?<\/a>)<\/h\1>/gs
const headingParts = /^(.*)<a[^>]* href="#([^"]*)"/s
const namedRows = /<tr id="([^"]+)"[^>]*>(.*?)<\/tr>/gs
const cells = /<td[^>]*>(.*?)<\/td>/gs

/** The sections of a page for the index. A row of a table that has a name is a section too. */
export function sectionsOf(file: string, html: string): Section[] {
  const [, ...parts] = html.split(headings)
  const also = otherWords[relative(sourceFolder, file).replace(/\.md$/, '')]
  const above: string[] = []
  const found: Section[] = []
  for (let index = 0; index < parts.length; index += 3) {
    const [level = '1', heading = '', content = ''] = parts.slice(index, index + 3)
    const [, title = '', anchor = ''] = headingParts.exec(heading) ?? []
    above.splice(Number(level) - 1, above.length, textOf(title))
    const titles = above.filter((one) => one !== undefined)
    const words = index === 0 && also !== undefined ? `${also} ` : ''
    found.push({ anchor, titles, text: words + textOf(content.replaceAll(namedRows, '')) })
    for (const [, id = '', row = ''] of content.matchAll(namedRows)) found.push(rowSection(id, row, titles))
  }
  return found
}

/** The title is `20011 Limit of the merchant reached`, or the code alone. The rest of the row is the text. */
function rowSection(anchor: string, row: string, titles: readonly string[]): Section {
  const texts = [...row.matchAll(cells)].map(([, cell = '']) => textOf(cell))
  const message = /^\d{5}$/.test(anchor) ? ` ${texts[2]}` : ''
  return { anchor, titles: [...titles, `${anchor}${message}`], text: texts.slice(1).join(' ') }
}

function textOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '').trim()
}

/** Options of the search. These functions run in the reader's browser, so they use nothing else from this file. */
export const asking = {
  boost: { title: 4, text: 2, titles: 1 },
  /** A number must match exactly. */
  fuzzy: (term: string) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
  prefix: (term: string) => term.length > 2,
  /** Guides come before pages for contributors. */
  boostDocument: (id: string) => (/\/(?:decisions|inside|states)\/|ARCHITECTURE|glossary/.test(id) ? 0.2 : 1),
}
