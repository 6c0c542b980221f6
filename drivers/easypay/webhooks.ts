// Easypay's notifications: unsigned, so only a reason to ask Easypay.
import type { Connection, DriverTools, WebhookReceiver } from '../../src/connections/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import type { ProviderReferences } from '../../src/rails/index.ts'
import { jsonOf, textOf } from './rules.ts'

export function webhookReceiver(
  referencesOf: (connection: Connection, tools: DriverTools) => ProviderReferences,
): WebhookReceiver {
  return {
    /** Anyone can send one: only a text in Easypay's form is stored, and of it only ids and keys. */
    verify(_, { rawBody }) {
      const body = jsonOf(JSON.parse(Buffer.from(rawBody).toString('utf8')))
      const parts = [body, jsonOf(body?.transaction), jsonOf(body?.authorisation)]
      const all = parts.flatMap((part) => [part?.key, part?.id]).map((value) => textOf(value) ?? '')
      const named = [...new Set(all)].filter(isUuid)
      return named.length === 0 ? { kind: 'refused' } : { kind: 'accepted', payload: JSON.stringify(named) }
    },

    /** The meaning of an id differs by type. An account can also serve other systems: their payments are ignored. */
    async handle(connection, { payload }, tools) {
      const { requests, notices } = tools
      for (const name of JSON.parse(payload) as readonly string[]) {
        const request = (await requests.find(name)) ?? (await requests.findByProviderId(name))
        if (request === undefined) continue
        const { key, rail, steps } = request
        if (rail === 'acquirer') await notices.card(key)
        if (rail === 'mobileWallet') await notices.mobileWallet({ kind: 'payment', key })
        if (rail === 'referenceNetwork' && steps.refund === undefined)
          for (const payment of await referencesOf(connection, tools).paymentsOf([key]))
            await notices.references.receive(payment)
      }
    },
  }
}
