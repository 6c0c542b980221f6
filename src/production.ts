// A gateway in production: what is checked before it starts, and the rails that operators have set for it.

import type { CommandContext } from './cli/context.ts'
import { composeGateway, type Gateway } from './compose.ts'
import { createConnectedRails, type Driver, type ServedMethods } from './connections/index.ts'
import type { App } from './http/index.ts'
import { type Clock, type Instant, second } from './kernel/time.ts'
import { factsOf, methods } from './methods/list.ts'
import { CannotStart, type Runtime } from './runtime.ts'
import { type Database, statement } from './storage/index.ts'

/** What the tests run on, and the first to have all that the statements use. */
const postgresMajorMin = 16
/**
 * A call to a rail lasts 8 s at most and is first inquired about after 10, perhaps by another process. Two processes whose
 * clocks are each within a second of the database's are within these 2 s of each other.
 */
const clockDifferenceMsMax = 1 * second
const clockReadings = 3

export interface ProductionGateway {
  createApp(): App
  readonly commands: CommandContext
  served(): ServedMethods
  /** Follows changes of connections by other processes, and begins to work. */
  startWork(): Promise<void>
  readonly metrics: Gateway['metrics']
  close(): Promise<void>
}

/** Composes the gateway on the connections that operators have set; any subset of methods will do. */
export async function openProduction(
  runtime: Runtime,
  drivers: readonly Driver[],
): Promise<ProductionGateway> {
  const connected = createConnectedRails({
    ...runtime,
    drivers,
    walletExists: async (walletId) => (await gateway.commands.wallets.find(walletId))?.kind === 'merchant',
  })
  await connected.read()
  const gateway: Gateway = composeGateway(runtime, {
    ...connected.rails,
    capabilitiesOf: connected.capabilitiesOf,
    statements: connected.statements,
    administration: connected.administration,
    workers: () => ({
      rail_webhooks: connected.webhookWorker,
      rail_files: connected.exchangeWorker,
      rail_records: connected.purge,
    }),
  })
  connected.mount(gateway)
  return {
    createApp: () => gateway.createApp(connected.routes),
    metrics: gateway.metrics,
    commands: { ...gateway.commands, rails: connected.administration },
    served: connected.served,
    async startWork() {
      await connected.start()
      await gateway.startWork()
    },
    async close() {
      await connected.stop()
      await gateway.close()
    },
  }
}

const selectServer = statement<{ now: Instant; version: number }>(`
  select clock_timestamp() as now, current_setting('server_version_num')::integer as version`)

/**
 * Looks at what only a running database can show.
 *
 * @throws {@link CannotStart} for a PostgreSQL that is too old, and where its clock and this machine's differ
 */
export async function checkProduction({
  database,
  clock,
}: Pick<Runtime, 'database' | 'clock'>): Promise<void> {
  const { version, differenceMs } = await readServer(database, clock)
  const major = Math.floor(version / 10_000)
  if (database.kind !== 'postgres' || major < postgresMajorMin) {
    throw new CannotStart(`MODE=production needs PostgreSQL ${postgresMajorMin} or newer; this is ${major}`)
  }
  if (Math.abs(differenceMs) > clockDifferenceMsMax) {
    const seconds = (Math.abs(differenceMs) / second).toFixed(1)
    throw new CannotStart(
      `the clock of this machine is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's, and 1 s is allowed: have both follow a time server (NTP)`,
    )
  }
}

/** The quickest of a few readings: the database read its clock somewhere between sending and receiving. */
async function readServer(database: Database, clock: Clock) {
  const readings = []
  for (let count = 0; count < clockReadings; count++) {
    const sent = clock.now()
    const [server] = await database.run(selectServer)
    const received = clock.now()
    if (server === undefined) throw new Error('the database does not say what time it is')
    // What the way there and back may explain is no difference.
    const differenceMs =
      sent > server.now ? sent - server.now : received < server.now ? received - server.now : 0
    readings.push({ version: server.version, differenceMs, tookMs: received - sent })
  }
  readings.sort((one, other) => one.tookMs - other.tookMs)
  return readings[0] as (typeof readings)[number]
}

/** For the operator who starts it: what can be paid with, and what cannot. */
export function servedInWords({ gateway, merchants }: ServedMethods): string {
  const not = methods.filter((method) => !gateway.has(method))
  const ownLedger = [...gateway].every((method) => factsOf(method).rails.length === 0)
  return [
    `Methods served for every merchant: ${[...gateway].join(', ')}.`,
    ...(ownLedger ? ['No provider is connected: money moves between balances of this gateway alone.'] : []),
    ...(not.length > 0 ? [`Not served: ${not.join(', ')} (comporta rails set connects a provider).`] : []),
    ...merchants.map(({ walletId, methods: own }) => {
      const more = [...own].filter((method) => !gateway.has(method))
      return `Wallet ${walletId} has connections of its own${more.length > 0 ? `, and with them also ${more.join(', ')}` : ''}.`
    }),
  ].join('\n')
}
