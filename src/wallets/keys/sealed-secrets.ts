// What wallets keep sealed under the master key, for its rotation.
import { type SealedColumn, sealedColumn } from '../../storage/index.ts'
import { demoPlace } from '../demo/demo-secrets.ts'
import { callbackSecretPlace, signingSecretPlace } from '../deps.ts'

export const walletSecrets: readonly SealedColumn[] = [
  walletSecret('callback_secrets', 'callback_secret_sealed', callbackSecretPlace),
  walletSecret('previous_callback_secrets', 'callback_secret_previous_sealed', callbackSecretPlace),
  walletSecret('callback_signing_secrets', 'callback_signing_sealed', signingSecretPlace),
  walletSecret('previous_callback_signing_secrets', 'callback_signing_previous_sealed', signingSecretPlace),
  sealedColumn({
    name: 'demo_secrets',
    table: 'demo_wallets',
    column: 'secrets_sealed',
    key: { label: 'text' },
    placeOf: (row) => demoPlace(String(row.label)),
  }),
]

function walletSecret(name: string, column: string, placeOf: (publicId: string) => string): SealedColumn {
  return sealedColumn({
    name,
    table: 'wallets',
    column,
    key: { id: 'bigint' },
    also: ['public_id'],
    placeOf: (row) => placeOf(String(row.public_id)),
  })
}
