// PayPal's driver over a connection to a fake, opened as often as needed.
import { randomUUID } from 'node:crypto'
import { paypal } from '../../../drivers/paypal/index.ts'
import type { VerifiedWebhook, WebhookReceiver } from '../../../src/connections/index.ts'
import type { Day } from '../../../src/kernel/lisbon.ts'
import { type Clock, systemClock } from '../../../src/kernel/time.ts'
import type { Notices } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { clientId, clientSecret, type FakeEvent, type FakePaypal } from './fake.ts'
import type { Signer } from './signer.ts'

interface Given {
  readonly signer: Signer
  readonly clock?: Clock
  readonly notices?: Partial<Notices>
}

/** The driver of a new process. */
export async function connectPaypal(
  database: Database,
  fake: FakePaypal,
  { signer, clock = systemClock, notices }: Given,
) {
  const connected = await connectRails(database, paypal, {
    settings: { client_id: clientId, api_base: fake.provider.url, webhook_certificates: signer.root },
    secrets: { client_secret: clientSecret },
    clock,
    ...(notices && { notices }),
  })
  const [set] = await connected.administration.list({ removed: false })
  if (set === undefined) {
    const { id } = await connected.set()
    const registered = await connected.administration.registerWebhook(id)
    if (!registered.ok) throw new Error(registered.refusal.reason)
  }
  const { onlineWallet } = connected.rails
  // Opens the connection, so that webhooks and statements work without a payment.
  expectUrl(onlineWallet.pagesUrl)
  return {
    connected,
    wallet: onlineWallet,
    async receive({ headers, body }: FakeEvent): Promise<'handled' | 'refused'> {
      const { connection, tools } = connected.opened
      const received = { headers, rawBody: Buffer.from(body) }
      // A webhook that cannot be verified is refused too.
      const verified = await verify(connection, received, tools).catch(() => undefined)
      if (verified?.kind !== 'accepted') return 'refused'
      const { payload, id = randomUUID() } = verified
      await paypal.webhook?.handle(connection, { id, payload }, tools)
      return 'handled'
    },
    async statement(day: Day) {
      const { connection, tools } = connected.opened
      return (await paypal.statement?.(connection, day, tools)) ?? []
    },
    async check() {
      const { connection, tools } = connected.opened
      return paypal.check(connection, tools)
    },
  }
}

const verify: (...args: Parameters<WebhookReceiver['verify']>) => Promise<VerifiedWebhook | undefined> =
  async (...args) => paypal.webhook?.verify(...args)

function expectUrl(text: string): void {
  if (!URL.canParse(text)) throw new Error(`${text} is no address`)
}
