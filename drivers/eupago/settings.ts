// The settings of an Eupago connection.
import type { Connection, SettingSpec } from '../../src/connections/index.ts'

const oneLine = (text: string) =>
  /^[\x21-\x7e]+$/.test(text.trim()) ? undefined : 'must be one line without spaces'
const secret = { secret: true, required: true }
const keyBytes = 32

export const settings: readonly SettingSpec[] = [
  { name: 'api_key', ...secret, help: 'API key of the channel (Channels, Channel listing).', check: oneLine },
  { name: 'client_id', ...secret, help: 'Client id of your credentials (My account).', check: oneLine },
  { name: 'client_secret', ...secret, help: 'Client secret of your credentials.', check: oneLine },
  {
    ...{ name: 'webhook_key', ...secret, help: 'Cryptographic key of the channel’s webhook 2.0.' },
    check: (text) =>
      Buffer.byteLength(text.trim()) === keyBytes
        ? undefined
        : `must be the ${keyBytes} characters of the channel`,
  },
  {
    ...{ name: 'api_base', secret: false, required: false, fixed: true, address: true },
    help: 'Address of the API. Default: https://clientes.eupago.pt.',
    check: (text) => (/^[^?#]*[^/?#]$/.test(text) ? undefined : 'must have no query and no slash at the end'),
  },
]

export type EupagoSettings = ReturnType<typeof settingsOf>

export function settingsOf({ settings: set, secrets }: Pick<Connection, 'settings' | 'secrets'>) {
  return {
    apiBase: set.api_base ?? 'https://clientes.eupago.pt',
    apiKey: (secrets.api_key ?? '').trim(),
    clientId: (secrets.client_id ?? '').trim(),
    clientSecret: (secrets.client_secret ?? '').trim(),
    webhookKey: (secrets.webhook_key ?? '').trim(),
  }
}
