// Pages of every backoffice list of a wallet with a million rows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { within } from './goals.ts'
import { fillLists } from './list-rows.ts'
import type { Measurement } from './measure.ts'
import type { PartOptions } from './paying.ts'

/** Longest time of a page, in milliseconds. */
const goalMs = 300
const reads = 5

interface ListsOptions {
  readonly baseUrl: string
  readonly dataDir: string
  readonly walletId: number
}

/** How the list goes to its next page. `none` means that it has one page. */
type Paging = 'id' | 'card' | 'number' | 'offset' | 'position' | 'none'

interface List {
  readonly path: string
  readonly paging: Paging
  readonly share?: number
}

const lists: Readonly<Record<string, List>> = {
  home: { path: 'home', paging: 'none' },
  payments: { path: 'payments', paging: 'id' },
  'payments, failed by card': { path: 'payments?status=FAIL&method=CC', paging: 'id' },
  'payments, refunds': { path: 'payments?type=REFUND', paging: 'id' },
  'payments, 20 to 30 €': { path: 'payments?min=20&max=30', paging: 'id' },
  'payments, by e-mail': { path: 'payments?text=ana777@example.com', paging: 'id' },
  'payments, by card': { path: 'payments?text=0777', paging: 'id' },
  'payments, by the beginning of an invoice': { path: 'payments?text=BENCH-7', paging: 'id' },
  authorizations: { path: 'authorizations', paging: 'offset', share: 0.05 },
  events: { path: 'developers/events', paging: 'id' },
  'events, failed': { path: 'developers/events?state=failed', paging: 'id' },
  'events, never verified': { path: 'developers/events?state=unverified', paging: 'id' },
  'events of an unused kind': { path: 'developers/events?kind=charge', paging: 'id' },
  'addresses of callbacks': { path: 'developers/endpoints', paging: 'none' },
  requests: { path: 'developers/requests', paging: 'id' },
  'requests, failed': { path: 'developers/requests?status=4', paging: 'id' },
  'requests, by path': { path: 'developers/requests?path=/api/v2/checkout/999', paging: 'id' },
  references: { path: 'recurring/references', paging: 'id' },
  'references, by number': { path: 'recurring/references?ref=000777777', paging: 'id' },
  cards: { path: 'recurring/cards', paging: 'card' },
  'cards, by last digits': { path: 'recurring/cards?last4=0777', paging: 'card' },
  mandates: { path: 'mandate/mbway', paging: 'offset' },
  subscriptions: { path: 'subscriptions', paging: 'offset' },
  'payment links': { path: 'payment_links', paging: 'offset', share: 0.01 },
  payouts: { path: 'payouts', paging: 'offset', share: 0.05 },
  'statement of a year': { path: 'statement', paging: 'none' },
  'entries of a day': { path: 'statement/', paging: 'position' },
  'activity log': { path: 'actions', paging: 'number' },
  'operator: home': { path: '/operator/home', paging: 'none' },
  'operator: merchants': { path: '/operator/merchants', paging: 'none' },
  'operator: suspense': { path: '/operator/suspense', paging: 'none' },
  'operator: suspense, settled too': { path: '/operator/suspense?all=true', paging: 'none' },
  'operator: transfers': { path: '/operator/transfers', paging: 'none' },
  'operator: bank files': { path: '/operator/bank', paging: 'none' },
  'operator: queues': { path: '/operator/queues', paging: 'none' },
  'operator: activity log': { path: '/operator/actions', paging: 'number' },
}

const day = 86_400_000

function cursorsOf({ path, paging, share = 1 }: List): readonly string[] {
  const name = path.startsWith('payments') ? 'after' : 'before'
  const ago = [182.5, 364.99].map((days) => new Date(Date.now() - days * day))
  const idAt = (at: Date) => {
    const digits = at.getTime().toString(16).padStart(12, '0')
    return `${digits.slice(0, 8)}-${digits.slice(8)}-7fff-8fff-ffffffffffff`
  }
  switch (paging) {
    case 'none':
    case 'position':
      return ['']
    case 'offset': {
      const last = Math.ceil((rowsOfEach * share) / 30) - 1
      return ['', `offset=${Math.floor(last / 2)}&limit=30`, `offset=${last}&limit=30`]
    }
    case 'number':
      return ['', `before=${Math.floor(rowsOfEach / 2)}`, 'before=50']
    case 'card':
      return ['', ...ago.map((at) => `before=${encodeURIComponent(`${at.toISOString()} ${idAt(at)}`)}`)]
    case 'id':
      return ['', ...ago.map((at) => `${name}=${idAt(at)}`)]
  }
}

export async function longLists({ machine }: PartOptions): Promise<Measurement[]> {
  const { postgres, shops, dataDir } = machine
  const shop = shops.at(-1)
  if (postgres === undefined || shop === undefined) return []
  await fillLists((text, parameters) => postgres.sql.query(text, parameters), shop.wallet_id, rowsOfEach)
  for (let left = true; left; await pause(1000)) {
    const { rows } = await postgres.sql.query(notTakenOver)
    left = rows[0]?.left === true
  }
  await postgres.sql.query('vacuum analyze')
  return measureLists({ baseUrl: shop.baseUrl, dataDir, walletId: shop.wallet_id })
}

const rowsOfEach = 1_000_000

const notTakenOver = `
  select exists (select from operation_changes)
    or exists (
      select from account_days_upto where upto + 10000 < (select last_value from postings_id_seq)
    ) as left`

async function measureLists(options: ListsOptions): Promise<Measurement[]> {
  const { baseUrl, walletId } = options
  const cookie = await signIn(options)
  const get = async (path: string) => {
    const began = performance.now()
    const answer = await fetch(`${baseUrl}/backoffice/api${path}`, { headers: { cookie } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`)
    return { ms: performance.now() - began, text }
  }
  const pathOf = ({ path }: List) => (path.startsWith('/') ? path : `/wallets/${walletId}/${path}`)
  const rows: Measurement[] = []
  for (const [name, list] of Object.entries(lists)) {
    const paths =
      list.paging === 'position'
        ? await pagesOfDay(get, pathOf(list))
        : cursorsOf(list).map(
            (query) => `${pathOf(list)}${query && (list.path.includes('?') ? '&' : '?')}${query}`,
          )
    for (const [index, path] of paths.entries()) {
      const times: number[] = []
      for (let read = 0; read < reads; read++) times.push((await get(path)).ms)
      const slowest = Math.max(...times)
      const median = times.sort((one, other) => one - other)[Math.floor(reads / 2)] ?? 0
      const measured = {
        what: `${name}${['', ', middle', ', last'][index]}`,
        connections: 1,
        perSecond: 1000 / median,
        p50Ms: median,
        p99Ms: slowest,
        failures: 0,
      }
      rows.push({ ...measured, goal: within(goalMs)(measured) })
    }
  }
  return rows
}

async function pagesOfDay(get: (path: string) => Promise<{ text: string }>, path: string): Promise<string[]> {
  const base = `${path}${new Date(Date.now() - 182 * day).toISOString().slice(0, 10)}`
  const pages = [base]
  for (let next: string | undefined = ''; next !== undefined; ) {
    next = (JSON.parse((await get(pages.at(-1) ?? base)).text) as { next?: string }).next
    if (next !== undefined) pages.push(`${base}?after=${next}`)
  }
  return [base, pages[Math.floor(pages.length / 2)] ?? base, pages.at(-1) ?? base]
}

async function signIn({ baseUrl, dataDir }: ListsOptions): Promise<string> {
  const { users } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
    users: { email: string; password: string; role: string }[]
  }
  const user = users.find(({ email }) => email.startsWith('operator@'))
  const answer = await fetch(`${baseUrl}/backoffice/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(baseUrl).origin },
    body: JSON.stringify({ email: user?.email, password: user?.password }),
  })
  if (!answer.ok) throw new Error(`the operator cannot sign in: ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}
