// What wallets keep sealed under the master key, for its rotation.
import { type SealedColumn, sealedColumn } from '../storage/index.ts'
import { demoPlace } from './demo-secrets.ts'
import { callbackSecretPlace } from './deps.ts'

export const walletSecrets: readonly SealedColumn[] = [
  callbackSecrets('callback_secrets', 'callback_secret_sealed'),
  callbackSecrets('previous_callback_secrets', 'callback_secret_previous_sealed'),
  sealedColumn({
    name: 'demo_secrets',
    table: 'demo_wallets',
    column: 'secrets_sealed',
    key: { label: 'text' },
    placeOf: (row) => demoPlace(String(row.label)),
  }),
]

function callbackSecrets(name: string, column: string): SealedColumn {
  return sealedColumn({
    name,
    table: 'wallets',
    column,
    key: { id: 'bigint' },
    also: ['public_id'],
    placeOf: (row) => callbackSecretPlace(String(row.public_id)),
  })
}
