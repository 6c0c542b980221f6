// What the gateway is measured against: the same rows on the same driver, one transaction each, and nothing else.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** One statement of a transaction: text and the values for the n-th round. */
export interface BareStatement {
  readonly text: string
  values(): unknown[]
}

export interface BareResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Runs `transaction` over and over on `connections` connections for `seconds`, each its own
 * `begin … commit` with prepared statements.
 */
export async function runBareLoop(
  url: string,
  connections: number,
  seconds: number,
  transaction: () => readonly BareStatement[],
): Promise<BareResult> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const latencies: number[] = []
  const end = performance.now() + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const started = performance.now()
        await client.query('begin')
        for (const [index, { text, values }] of transaction().entries()) {
          await client.query({ name: `bare${index}`, text, values: values() })
        }
        await client.query('commit')
        latencies.push(performance.now() - started)
      }
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** The rows of one checkout: its operation and itself, with the values that the load sends. */
export function bareCheckout(walletId: number): readonly BareStatement[] {
  const operationId = randomUUID()
  const checkoutId = randomUUID()
  const now = new Date()
  const later = new Date(now.getTime() + 86_400_000)
  return [
    {
      text: `insert into operations (
          id, wallet_id, type, status, amount, currency, channel, checkout_id, ext_invoiceid, items, client,
          created_at, modified_at
        ) values ($1, $2, 'PAYMENT', 'NEW', 1000, 'EUR', 'WEBSITE', $3, 'BENCH-1', $4, $5, $6, $6)`,
      values: () => [
        operationId,
        walletId,
        checkoutId,
        JSON.stringify([{ name: 'T-shirt', qt: 1, descr: 'Blue' }]),
        JSON.stringify({ name: 'Ana Silva', email: 'ana@example.com' }),
        now,
      ],
    },
    {
      text: `insert into checkouts (
          id, wallet_id, kind, operation_id, url_confirm, url_cancel, required_fields, expires_at, created_at, due_at
        ) values ($1, $2, 'payment', $3, $4, $5, '{}', $6, $7, $6)`,
      values: () => [
        checkoutId,
        walletId,
        operationId,
        'https://shop.example/ok',
        'https://shop.example/no',
        later,
        now,
      ],
    },
  ]
}
