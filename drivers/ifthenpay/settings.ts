// The settings of an ifthenpay connection.
import type { Connection, SettingSpec } from '../../src/connections/index.ts'

type Rest = Partial<Omit<SettingSpec, 'name' | 'help'>> & { readonly right?: RegExp; readonly must?: string }

function setting(name: string, help: string, { right, must = '', ...rest }: Rest): SettingSpec {
  const check = (text: string) => (right === undefined || right.test(text) ? undefined : must)
  return { name, help, secret: false, required: false, check, ...rest }
}

const secret = { secret: true, required: true }
const key = { fixed: true, right: /^[A-Z0-9]{3,6}-\d{6}$/, must: 'must be a key such as ABC-123456' }
const path = { right: /^(\/[\w.-]+)+$/, must: 'must be a path such as /v2/payments/refund' }
const backofficeKey = { right: /^\d{4}(-\d{4}){3}\s*$/, must: 'must be four groups of four digits' }
const antiPhishing = { right: /^[A-Za-z0-9]{10,50}\s*$/, must: 'must be 10 to 50 letters and digits' }
const mode = { fixed: true, right: /^(live|test)$/, must: 'must be live or test' }
const base = { address: true, right: /^[^?#]*[^/?#]$/, must: 'must have no query and no slash at the end' }

export const settings: readonly SettingSpec[] = [
  setting('backoffice_key', 'Backoffice key of the contract.', { ...secret, ...backofficeKey }),
  setting('anti_phishing_key', 'Key that proves callbacks. You choose it.', { ...secret, ...antiPhishing }),
  setting('mb_key', 'Key of dynamic Multibanco references.', { ...key, neededFor: 'referenceNetwork' }),
  setting('mbway_key', 'Key of MB WAY.', { ...key, neededFor: 'mobileWallet' }),
  setting('card_key', 'Key of cards.', { ...key, neededFor: 'acquirer' }),
  setting('mode', 'With test, cards use the test page; other methods need test keys. Default: live.', mode),
  setting('api_base', 'Address of the API. Default: https://api.ifthenpay.com.', base),
  setting('refund_path', 'Default: /endpoint/payments/refund. Some documents: /v2/payments/refund.', path),
  setting('payments_path', 'Path of the list of payments. Default: /v2/payments/read.', path),
  setting('callback_path', 'Path that registers callbacks. Default: /endpoint/callback/activation.', path),
]

export type IfthenpaySettings = ReturnType<typeof settingsOf>

export function settingsOf({ settings: set, secrets }: Pick<Connection, 'settings' | 'secrets'>) {
  return {
    apiBase: set.api_base ?? 'https://api.ifthenpay.com',
    isTest: set.mode === 'test',
    backofficeKey: (secrets.backoffice_key ?? '').trim(),
    antiPhishingKey: (secrets.anti_phishing_key ?? '').trim(),
    mbKey: set.mb_key ?? '',
    mbwayKey: set.mbway_key ?? '',
    cardKey: set.card_key ?? '',
    refundPath: set.refund_path ?? '/endpoint/payments/refund',
    paymentsPath: set.payments_path ?? '/v2/payments/read',
    callbackPath: set.callback_path ?? '/endpoint/callback/activation',
  }
}
