// A production gateway: checks and rails.

import type { CommandContext } from './cli/context.ts'
import { composeGateway, type Gateway } from './compose.ts'
import { createConnectedRails, type Driver, type ServedMethods } from './connections/index.ts'
import type { App } from './http/index.ts'
import { type Clock, type Instant, second } from './kernel/time.ts'
import { factsOf, methods } from './methods/list.ts'
import { CannotStart, type Runtime } from './runtime.ts'
import { type Database, statement } from './storage/index.ts'

/** The version that is tested, and the first one with all features that the gateway uses. */
const postgresMajorMin = 16
/** A rail call lasts 8 s, and the next inquiry begins after 10 s: clocks within 1 s keep that order. */
const clockDifferenceMsMax = 1 * second
const clockReadings = 3

export interface ProductionGateway {
  createApp(): App
  readonly commands: CommandContext
  served(): ServedMethods
  startWork(): Promise<void>
  readonly metrics: Gateway['metrics']
  close(): Promise<void>
}

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

/** Throws {@link CannotStart} if PostgreSQL is too old or the clock is wrong. */
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
      `the clock of this machine is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's, and 1 s is allowed: synchronize both with a time server (NTP)`,
    )
  }
}

/** Reads the server's clock a few times. The fastest reading has the smallest error. */
async function readServer(database: Database, clock: Clock) {
  const readings = []
  for (let count = 0; count < clockReadings; count++) {
    const sent = clock.now()
    const [server] = await database.run(selectServer)
    const received = clock.now()
    if (server === undefined) throw new Error('the database did not return its time')
    const differenceMs =
      sent > server.now ? sent - server.now : received < server.now ? received - server.now : 0
    readings.push({ version: server.version, differenceMs, tookMs: received - sent })
  }
  readings.sort((one, other) => one.tookMs - other.tookMs)
  return readings[0] as (typeof readings)[number]
}

export function servedInWords({ gateway, merchants }: ServedMethods): string {
  const not = methods.filter((method) => !gateway.has(method))
  const ownLedger = [...gateway].every((method) => factsOf(method).rails.length === 0)
  return [
    `Methods available to every merchant: ${[...gateway].join(', ')}.`,
    ...(ownLedger ? ['No provider is connected: money moves only between balances of this gateway.'] : []),
    ...(not.length > 0
      ? [`Not available: ${not.join(', ')} (connect a provider with comporta rails set).`]
      : []),
    ...merchants.map(({ walletId, methods: own }) => {
      const more = [...own].filter((method) => !gateway.has(method))
      return `Wallet ${walletId} has its own connections${more.length > 0 ? `, and with them also ${more.join(', ')}` : ''}.`
    }),
  ].join('\n')
}
