// Stripe's driver over a connection to a fake, opened as often as needed.

import { stripe } from '../../../drivers/stripe/index.ts'
import {
  type Connection,
  createConnectedRails,
  type Driver,
  type DriverTools,
  type StatementLine,
} from '../../../src/connections/index.ts'
import type { Day } from '../../../src/kernel/lisbon.ts'
import { systemRandomness } from '../../../src/kernel/random.ts'
import { unwrap } from '../../../src/kernel/result.ts'
import { type Clock, systemClock } from '../../../src/kernel/time.ts'
import type { GatewayRails } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { stopBeforeClose } from '../../database.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export const creditor = { creditor_name: 'Loja Exemplo', creditor_id: 'DE98ZZZ09999999999' }

export interface StripeAccount {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Undefined: Stripe itself. */
  readonly url?: string | undefined
}

interface Options {
  readonly clock?: Clock
  readonly settings?: Record<string, string>
}

/** The rails of a new process. */
export async function connectStripe(
  database: Database,
  account: StripeAccount,
  options?: Options,
): Promise<GatewayRails> {
  return (await openConnection(database, account, options)).rails
}

/** With the statement of a day; call it after the rails were used. */
export async function openConnection(
  database: Database,
  { secretKey, webhookSecret, url }: StripeAccount,
  { clock = systemClock, settings = {} }: Options = {},
): Promise<{ rails: GatewayRails; statement(day: Day): Promise<readonly StatementLine[]> }> {
  let opened: readonly [Connection, DriverTools] | undefined
  const driver: Driver = {
    ...stripe,
    open(connection, tools) {
      opened = [connection, tools]
      return stripe.open(connection, tools)
    },
  }
  const connected = createConnectedRails({
    ...{ database, logger: silent, drivers: [driver], baseUrl: 'https://pay.example.com' },
    ...{ clock, random: systemRandomness },
    keyring: { current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) },
    walletExists: async () => true,
    onError: (error) => {
      throw error
    },
  })
  stopBeforeClose(database, connected.stop)
  await connected.read()
  const set = await connected.administration.list({ removed: false })
  if (set.length === 0)
    unwrap(
      await connected.administration.set({
        driver: 'stripe',
        settings: { ...settings, ...(url !== undefined && { api_base: url }) },
        secrets: { secret_key: secretKey, webhook_secret: webhookSecret },
        allowUnproven: true,
      }),
    )
  return {
    rails: connected.rails,
    async statement(day) {
      const [connection, tools] = opened ?? []
      if (connection === undefined || tools === undefined) throw new Error('nothing went over the connection')
      return (await stripe.statement?.(connection, day, tools)) ?? []
    },
  }
}
