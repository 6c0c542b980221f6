// Sealed columns of wallets, for the rotation of the master key.
import { type SealedColumn, sealedColumn } from '../../storage/index.ts'
import { demoAssociatedData } from '../demo/demo-secrets.ts'
import { callbackSecretAssociatedData, signingSecretAssociatedData } from '../deps.ts'

export const walletSecrets: readonly SealedColumn[] = [
  walletSecret('callback_secrets', 'callback_secret_sealed', callbackSecretAssociatedData),
  walletSecret('previous_callback_secrets', 'callback_secret_previous_sealed', callbackSecretAssociatedData),
  walletSecret('callback_signing_secrets', 'callback_signing_sealed', signingSecretAssociatedData),
  walletSecret(
    'previous_callback_signing_secrets',
    'callback_signing_previous_sealed',
    signingSecretAssociatedData,
  ),
  sealedColumn({
    name: 'demo_secrets',
    table: 'demo_wallets',
    column: 'secrets_sealed',
    key: { label: 'text' },
    associatedDataOf: (row) => demoAssociatedData(String(row.label)),
  }),
]

function walletSecret(
  name: string,
  column: string,
  associatedDataOf: (publicId: string) => string,
): SealedColumn {
  return sealedColumn({
    name,
    table: 'wallets',
    column,
    key: { id: 'bigint' },
    also: ['public_id'],
    associatedDataOf: (row) => associatedDataOf(String(row.public_id)),
  })
}
