// Backlogs by kind, for the operator's page and the metrics.
import { Gauge, type Registry } from 'prom-client'
import { type Clock, type Instant, second, toTimestamp } from '../kernel/time.ts'
import { type Database, statement } from './database.ts'

/** Each condition equals the condition of a partial index, so that the planner uses the index. */
const tables = {
  attempts: 'attempts',
  authorizations: 'authorization_timers',
  bank_entries: 'bank_entries',
  callbacks: 'deliveries',
  charges: 'charges',
  checkouts: 'checkouts',
  mail: 'mails',
  mandates: 'mandates',
  open_movements: 'opened_movements',
  payouts: 'payout_schedules',
  rail_webhooks: 'rail_webhooks',
  reference_requests: 'bank_reference_requests',
  references: 'bank_references',
  suspense: 'suspense_entries',
} as const

const waits: Readonly<Record<string, string>> = { callbacks: "state = 'DUE' and claim_id is null" }

const countedMax = 10_000

export interface Backlog {
  readonly kind: string
  readonly waiting: number
  readonly due: number
  readonly oldest: Instant | undefined
}

const selectBacklogs = statement<{ kind: string; waiting: number; due: number; oldest: Instant | null }>(
  Object.entries(tables)
    .map(
      ([kind, table]) => `
  select '${kind}' as kind, count(*)::integer as waiting, (count(*) filter (where due_at <= $1))::integer as due,
    min(due_at) filter (where due_at <= $1) as oldest
  from (select due_at from ${table} where ${waits[kind] ?? 'due_at is not null'} order by due_at limit ${countedMax}) as ${table}_waiting`,
    )
    .join('\n  union all'),
)

export interface BacklogDeps {
  readonly database: Database
  readonly clock: Clock
  readonly metrics: Registry
  readonly onError: (error: unknown) => void
}

export function createBacklogs({ database, clock, metrics, onError }: BacklogDeps): () => Promise<Backlog[]> {
  async function read(): Promise<Backlog[]> {
    const rows = await database.run(selectBacklogs, [toTimestamp(clock.now())])
    return rows.map(({ oldest, ...row }) => ({ ...row, oldest: oldest ?? undefined }))
  }
  function register(name: string, help: string, measure: (backlog: Backlog) => number): void {
    new Gauge({
      ...{ name, help, labelNames: ['kind'], registers: [metrics] },
      async collect() {
        try {
          for (const backlog of await read()) this.set({ kind: backlog.kind }, measure(backlog))
        } catch (error) {
          onError(error)
        }
      },
    })
  }
  register('comporta_backlog_due', 'Due rows of leased work, by kind', ({ due }) => due)
  register(
    'comporta_backlog_oldest_seconds',
    'Age of the longest due row in seconds, by kind',
    ({ oldest }) => (oldest === undefined ? 0 : (clock.now() - oldest) / second),
  )
  return read
}
