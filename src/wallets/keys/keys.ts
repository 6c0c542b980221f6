// Creating and revoking API keys.
import { ok, type Result, refuse } from '../../kernel/result.ts'
import {
  permissions as allPermissions,
  type Permission,
  permissionsDefault,
} from '../../kernel/values/permissions.ts'
import type { Executor } from '../../storage/index.ts'
import type { WalletsDeps } from '../deps.ts'
import { checkName } from '../settings.ts'
import { digestOf, mintApiKey, pepperFor } from './credentials.ts'
import { insertKey, markKeyRevoked } from './key-store.ts'

export interface CreatedKey {
  readonly id: string
  readonly key: string
  readonly permissions: readonly Permission[]
  readonly name: string | null
}

export interface NewKey {
  /** Default: `permissionsDefault`. */
  readonly permissions?: readonly Permission[] | undefined
  readonly name?: string | undefined
}

/** Creates a key. Refusals: invalid_parameter for an unknown permission or a wrong name; not_found. */
export async function createKey(
  deps: WalletsDeps,
  db: Executor,
  walletId: bigint,
  { permissions = permissionsDefault, name }: NewKey = {},
): Promise<Result<CreatedKey>> {
  const named = name === undefined ? ok(null) : checkName(name)
  if (!named.ok) return named
  const unknown = permissions.find((permission) => !allPermissions.includes(permission))
  if (unknown !== undefined) {
    const known = allPermissions.join(', ')
    return refuse('invalid_parameter', `permissions may hold ${known}; not ${JSON.stringify(unknown)}`)
  }
  const { id, key } = mintApiKey(deps.mode, deps.random)
  const digest = digestOf(pepperFor(deps.keyring, 'apiKey'), key)
  const granted = allPermissions.filter((permission) => permissions.includes(permission))
  const written = await insertKey(db, walletId, {
    id,
    digest,
    permissions: granted,
    name: named.value,
    now: deps.clock.now(),
  })
  return written
    ? ok({ id, key, permissions: granted, name: named.value })
    : refuse('not_found', `there is no merchant with wallet ${walletId}`)
}

/** Revokes a key of `owner`, or of any wallet if null; a repeated call changes nothing. Refusals: not_found. */
export async function revokeKey(
  deps: WalletsDeps,
  db: Executor,
  keyId: string,
  owner: bigint | null,
): Promise<Result<bigint>> {
  const walletId = await markKeyRevoked(db, keyId, owner, deps.clock.now())
  return walletId === undefined ? refuse('not_found', 'there is no API key with this id') : ok(walletId)
}
