// Easypay's notifications have no signature, so the driver only uses them as a reason to ask Easypay.
import type { Connection, DriverTools, WebhookReceiver } from '../../src/connections/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import type { ProviderReferences } from '../../src/rails/index.ts'
import { jsonOf, textOf } from './rules.ts'

export function webhookReceiver(
  referencesOf: (connection: Connection, tools: DriverTools) => ProviderReferences,
): WebhookReceiver {
  return {
    /**
     * Anyone can send a notification. The driver accepts only Easypay's form, and stores only the ids and keys in it.
     */
    verify(_, { rawBody }) {
      const body = jsonOf(JSON.parse(Buffer.from(rawBody).toString('utf8')))
      const parts = [body, jsonOf(body?.transaction), jsonOf(body?.authorisation)]
      const all = parts.flatMap((part) => [part?.key, part?.id]).map((value) => textOf(value) ?? '')
      const named = [...new Set(all)].filter(isUuid)
      return named.length === 0 ? { kind: 'refused' } : { kind: 'accepted', payload: JSON.stringify(named) }
    },

    /**
     * An id can name different kinds of objects, so the driver tries each meaning. It ignores payments of other
     * systems that use the account.
     */
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
