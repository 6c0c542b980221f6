// The SQL of connections.

import type { Randomness } from '../kernel/random.ts'
import { type Keyring, open, seal } from '../kernel/sealing.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { execute, findAll, hasRows, type SealedColumn, sealedColumn, writtenRow } from '../storage/index.ts'
import { type ConnectionRow, railConnections } from './model.ts'

export const listConnections = findAll(railConnections, () => [])`
  select ${railConnections.list()} from rail_connections order by id`

/** Changes wait for each other, because each one checks the rails of the others. */
export const lockConnections = execute(() => [])`
  select pg_advisory_xact_lock(hashtext('comporta rail connections'))`

export type NewConnection = Pick<
  ConnectionRow,
  'publicId' | 'driver' | 'walletId' | 'rails' | 'settings' | 'secretsSealed' | 'allowUnproven' | 'account'
>

export const insertConnection = writtenRow(railConnections, (made: NewConnection, now: Instant) => [
  ...[made.publicId, made.driver, made.walletId ?? null, made.rails, JSON.stringify(made.settings)],
  ...[made.secretsSealed, made.allowUnproven, toTimestamp(now), made.account ?? null],
])`
  insert into rail_connections
    (public_id, driver, wallet_id, rails, settings, secrets_sealed, allow_unproven, account, enabled, created_at, changed_at)
  values ($1, $2, $3, $4::text[], $5, $6, $7, $9, true, $8, $8)
  returning ${railConnections.list()}`

export const updateConnection = writtenRow(
  railConnections,
  (id: bigint, changed: Omit<NewConnection, 'publicId' | 'driver' | 'walletId'>, now: Instant) => [
    ...[id, changed.rails, JSON.stringify(changed.settings), changed.secretsSealed],
    ...[changed.allowUnproven, toTimestamp(now), changed.account ?? null],
  ],
)`
  update rail_connections
  set rails = $2::text[], settings = $3, secrets_sealed = $4, allow_unproven = $5, changed_at = $6, account = $7
  where id = $1
  returning ${railConnections.list()}`

export const noteAccount = execute((id: bigint, account: string) => [id, account])`
  update rail_connections set account = $2 where id = $1 and account is null`

export const disableConnection = hasRows((id: bigint, now: Instant) => [id, toTimestamp(now)])`
  update rail_connections set enabled = false, changed_at = $2 where id = $1 and enabled returning id`

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
