// The bare loop: writes the same rows as the gateway, by the same database driver, without the gateway.
import pg from 'pg'

export interface BareStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

export async function runBareLoop(
  url: string,
  connections: number,
  seconds: number,
  transaction: () => readonly BareStatement[],
) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const latencies: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const started = performance.now()
        await client.query('begin')
        for (const [index, { text, values }] of transaction().entries()) {
          await client.query({ name: `bare${index}`, text, values: [...values] })
        }
        await client.query('commit')
        latencies.push(performance.now() - started)
      }
    }),
  )
  const elapsedSeconds = (performance.now() - began) / 1000
  await Promise.all(clients.map((client) => client.end()))
  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0
  return { perSecond: latencies.length / elapsedSeconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}
