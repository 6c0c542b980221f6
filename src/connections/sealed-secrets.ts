// Sealing of connection secrets under the master key.
import type { Randomness } from '../kernel/random.ts'
import { type Keyring, open, seal } from '../kernel/sealing.ts'
import { type SealedColumn, sealedColumn } from '../storage/index.ts'

function associatedDataOf(publicId: string): string {
  return `rail connection ${publicId} secrets`
}

export const connectionSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: 'rail_connection_secrets',
    table: 'rail_connections',
    column: 'secrets_sealed',
    key: { id: 'bigint' },
    also: ['public_id'],
    associatedDataOf: (row) => associatedDataOf(String(row.public_id)),
  }),
]

export function sealSecrets(
  { keyring, random }: { readonly keyring: Keyring; readonly random: Randomness },
  publicId: string,
  secrets: Readonly<Record<string, string>>,
): Uint8Array {
  return seal(keyring, JSON.stringify(secrets), associatedDataOf(publicId), random)
}

export function openSecrets(
  keyring: Keyring,
  { publicId, secretsSealed }: { readonly publicId: string; readonly secretsSealed: Uint8Array },
): Readonly<Record<string, string>> {
  return JSON.parse(open(keyring, secretsSealed, associatedDataOf(publicId)).toString('utf8'))
}
