// Stripe's driver over a connection, on a database and a fake of Stripe; opened anew as often as a test wants.

import { stripe } from '../../../drivers/stripe/index.ts'
import { createConnectedRails } from '../../../src/connections/index.ts'
import { systemRandomness } from '../../../src/kernel/random.ts'
import { unwrap } from '../../../src/kernel/result.ts'
import { type Clock, systemClock } from '../../../src/kernel/time.ts'
import type { GatewayRails } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export interface StripeAccount {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Undefined: Stripe itself. */
  readonly url?: string | undefined
}

/** The rails of production over one connection to Stripe, as a process sees them that has just started. */
export async function connectStripe(
  database: Database,
  { secretKey, webhookSecret, url }: StripeAccount,
  { clock = systemClock, settings = {} }: { clock?: Clock; settings?: Record<string, string> } = {},
): Promise<GatewayRails> {
  const connected = createConnectedRails({
    ...{ database, logger: silent, drivers: [stripe], baseUrl: 'https://pay.example.com' },
    ...{ clock, random: systemRandomness },
    keyring: { current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) },
    walletExists: async () => true,
    onError: (error) => {
      throw error
    },
  })
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
  return connected.rails
}
