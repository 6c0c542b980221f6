// Rails over one connection of a driver, in this process.
import { Registry } from 'prom-client'
import {
  type Connection,
  createConnectedRails,
  type Driver,
  type DriverTools,
} from '../../src/connections/index.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { type Clock, systemClock } from '../../src/kernel/time.ts'
import type { Notices } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { stopBeforeClose } from '../database.ts'

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Given {
  readonly settings?: Readonly<Record<string, string>>
  readonly secrets?: Readonly<Record<string, string>>
  readonly clock?: Clock
  readonly notices?: Partial<Notices>
}

/** {@link set} the connection once per database; it stays for later opens. */
export async function connectRails(
  database: Database,
  driver: Driver,
  { settings = {}, secrets = {}, clock = systemClock, notices = {} }: Given = {},
  others: readonly Driver[] = [],
) {
  let opened: { readonly connection: Connection; readonly tools: DriverTools } | undefined
  const connected = createConnectedRails({
    ...{ database, logger, baseUrl: 'https://pay.example.com' },
    drivers: [
      {
        ...driver,
        open(connection, tools) {
          opened = { connection, tools }
          return driver.open(connection, tools)
        },
      },
      ...others,
    ],
    ...{ clock, random: systemRandomness },
    keyring: { current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) },
    walletExists: async () => true,
    onError: (error) => {
      throw error
    },
  })
  stopBeforeClose(database, connected.stop)
  connected.mount({ notices: notices as Notices, metrics: new Registry() })
  await connected.read()
  return {
    ...connected,
    async set() {
      const asked = { driver: driver.name, settings, secrets, allowUnproven: true }
      return unwrap(await connected.administration.set(asked))
    },
    get opened() {
      if (opened === undefined) throw new Error('the connection was not opened')
      return opened
    },
  }
}
