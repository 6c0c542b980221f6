// Triggers in PostgreSQL at which statements wait until the test opens the gate.
import pg from 'pg'

/**
 * `opened`: the row is written, but the writer has no answer. `sent`: the rail has not got the request. `decided`:
 * the rail has decided, but its answer did not arrive. `settled`: the result is written, but the writer has no
 * answer. `abandoned`: just before an attempt is abandoned.
 */
export type Gate = 'opened' | 'sent' | 'decided' | 'settled' | 'abandoned'

const locks: Record<Gate, number> = { opened: 1, sent: 2, decided: 3, settled: 4, abandoned: 5 }
const books = {
  'sandbox.authorizations': `new.decline is distinct from 'cancelled'`,
  'sandbox.follow_ups': `new.decline is distinct from 'cancelled'`,
  'sandbox.phone_requests': `new.state <> 'withdrawn'`,
  'sandbox.phone_follow_ups': `new.decline is distinct from 'withdrawn'`,
} as const

/** A deferred trigger runs at the commit, so the work of the transaction is complete at the gate. */
const triggers = [
  `create function gate() returns trigger language plpgsql as $$
   begin perform pg_advisory_xact_lock_shared(tg_argv[0]::int); return new; end $$`,
  `create constraint trigger gate_opened after insert on operations deferrable initially deferred for each row
   when (new.status = 'PENDING' and new.under_approval) execute function gate(${locks.opened})`,
  `create constraint trigger gate_opened after update on attempts deferrable initially deferred for each row
   when (old.state = 'OPEN' and new.state = 'ASKED') execute function gate(${locks.opened})`,
  `create constraint trigger gate_settled after update on operations deferrable initially deferred for each row
   when (old.under_approval and new.settled_at is not null) execute function gate(${locks.settled})`,
  `create trigger gate_given_up before update on attempts for each row
   when (new.owner is not null and old.state <> 'GIVEN_UP' and new.state = 'GIVEN_UP') execute function gate(${locks.abandoned})`,
  ...Object.entries(books).flatMap(([table, isAsked]) => [
    `create trigger gate_sent before insert on ${table} for each row when (${isAsked})
     execute function gate(${locks.sent})`,
    `create constraint trigger gate_decided after insert on ${table} deferrable initially deferred for each row
     when (${isAsked}) execute function gate(${locks.decided})`,
  ]),
]

export interface Gates {
  close(gate: Gate): Promise<void>
  open(gate: Gate): Promise<void>
  openAll(): Promise<void>
  waiting(): Promise<number>
  rows<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>
  end(): Promise<void>
}

export async function buildGates(databaseUrl: string): Promise<Gates> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  for (const trigger of triggers) await client.query(trigger)
  return {
    async close(gate) {
      await client.query('select pg_advisory_lock($1)', [locks[gate]])
    },
    async open(gate) {
      await client.query('select pg_advisory_unlock($1)', [locks[gate]])
    },
    async openAll() {
      await client.query('select pg_advisory_unlock_all()')
    },
    async waiting() {
      const { rows } = await client.query(
        `select count(distinct pid)::int as count from pg_locks where locktype = 'advisory' and not granted`,
      )
      return rows[0].count
    },
    rows: async (sql, parameters) => (await client.query(sql, parameters)).rows,
    end: () => client.end(),
  }
}
