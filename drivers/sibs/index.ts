// The SIBS Payment Gateway (SPG): MB WAY, cards by its form, references.
import type { Connection, Driver, DriverTools } from '../../src/connections/index.ts'
import type { MobileWallet, ProviderReferences } from '../../src/rails/index.ts'
import { acquirerOf } from './cards.ts'
import { createClient } from './client.ts'
import { mandatesOf } from './mobile-wallet/mandates.ts'
import { paymentsOf } from './mobile-wallet/payments.ts'
import { type Movements, movementsOf } from './movements.ts'
import { referencesOf } from './references.ts'
import type { Spg } from './requests.ts'
import { settings, settingsOf } from './settings.ts'
import { webhookReceiver } from './webhooks.ts'

/** Written from SPG's public documents. Tested only against a simulation of SPG. */
export const sibs: Driver = {
  name: 'sibs',
  rails: ['acquirer', 'mobileWallet', 'referenceNetwork'],
  proven: false,
  settings,
  open(connection, tools) {
    const spg = spgOf(connection, tools)
    const movements = movementsOf(spg)
    return {
      acquirer: acquirerOf(spg, movements, settingsOf(connection)),
      mobileWallet: mobileWalletOf(spg, movements),
      referenceNetwork: referencesFor(connection, spg),
    }
  },
  async check(connection, tools) {
    // If SPG answers that this transaction is unknown, it has accepted the credentials.
    const { kind } = await spgOf(connection, tools).client.get('/payments/s2-comporta-check/status')
    const { baseUrl, terminalId } = settingsOf(connection)
    const detail = `${baseUrl} accepts the client id and the token; the first payment tests terminal ${terminalId}`
    const credentials = { name: 'credentials', ok: kind !== 'taken', detail }
    const lacksEntity =
      connection.rails.includes('referenceNetwork') && settingsOf(connection).referenceEntity === undefined
    if (!lacksEntity) return [credentials]
    const what = 'set reference_entity, or leave referenceNetwork out of --rails'
    return [credentials, { name: 'references', ok: false, detail: what }]
  },
  webhook: webhookReceiver((connection, tools) => {
    const spg = spgOf(connection, tools)
    return { mandates: mandatesOf(spg), references: referencesFor(connection, spg) }
  }),
}

function referencesFor(connection: Connection, spg: Spg): ProviderReferences {
  return referencesOf(spg, movementsOf(spg), settingsOf(connection))
}

function spgOf(connection: Connection, tools: DriverTools): Spg {
  const { requests, clock, logger } = tools
  return { client: createClient(settingsOf(connection), tools), requests, clock, logger }
}

function mobileWalletOf(spg: Spg, movements: Movements): MobileWallet {
  const mandates = mandatesOf(spg)
  const { usableFor, look: _, ...verbs } = mandates
  return {
    ...verbs,
    ...paymentsOf(spg, usableFor),
    // SPG cannot say whether a number has MB WAY. It declines payments of unknown numbers.
    findCustomer: async () => ({ kind: 'unsupported' }),
    capture: async ({ key, payment, amount }, signal) =>
      sent(await movements.move('capture', { key, original: payment, amount }, signal)),
    release: async ({ key, payment, amount }, signal) =>
      sent(await movements.move('cancellation', { key, original: payment, amount }, signal)),
    refund: async ({ key, payment, amount }, signal) =>
      sent(await movements.move('refund', { key, original: payment, amount }, signal)),
    inquireFollowUp: (key) => movements.inquire(key),
    inquireHold: (key, signal) => movements.inquireHold(key, signal),
    cancelFollowUp: (key, signal) => movements.cancel(key, signal),
    reverse: async (reversal, signal) => sent(await movements.reverse(reversal, signal)),
  }
}

/** SPG may still receive a sent request that it does not show yet, so the driver does not send it again. */
function sent<Answer extends { readonly kind: string }>(
  answer: Answer,
): Exclude<Answer, { readonly kind: 'not_found' }> | { readonly kind: 'unknown'; readonly why: string } {
  return answer.kind === 'not_found'
    ? { kind: 'unknown', why: 'it was sent, and SIBS does not show it' }
    : (answer as Exclude<Answer, { readonly kind: 'not_found' }>)
}
