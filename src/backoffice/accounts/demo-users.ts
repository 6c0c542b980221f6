// The users of the demo world (CONTRACT section 19).
import { createHmac } from 'node:crypto'
import { deriveKey } from '../../kernel/sealing.ts'
import type { Core } from '../../module.ts'
import { type Executor, statement, storeFunction } from '../../storage/index.ts'
import type { Role } from '../access/role-rules.ts'
import { hashPassword } from './passwords.ts'
import { findUser, insertUser, makeOperator, putMember, replacePassword } from './store.ts'

export interface DemoUser {
  readonly email: string
  readonly password: string
  readonly role: Role | 'operator'
  readonly wallet_id?: number
}

type DemoUsersDeps = Pick<Core, 'database' | 'clock' | 'random' | 'keyring'>

const plans: readonly { email: string; name: string; role: Role | 'operator'; merchant?: string }[] = [
  { email: 'owner@demo.example', name: 'Olívia Costa', role: 'owner', merchant: 'Demo Shop' },
  { email: 'reader@demo.example', name: 'Rui Leal', role: 'read_only', merchant: 'Demo Shop' },
  { email: 'owner@plain.example', name: 'Paula Reis', role: 'owner', merchant: 'Plain Shop' },
  { email: 'operator@demo.example', name: 'Otto Prado', role: 'operator' },
]
const passwordLength = 20

/**
 * The password is derived from the master key, so every start writes the same one into demo.json. If the
 * master key changes, the users get new passwords.
 */
export async function ensureDemoUsers(
  deps: DemoUsersDeps,
  merchants: readonly { readonly name: string; readonly walletId: number }[],
): Promise<DemoUser[]> {
  const key = deriveKey(deps.keyring, 'backoffice demo users')
  const password = createHmac('sha256', key).update('password').digest('base64url').slice(0, passwordLength)
  const keyMark = createHmac('sha256', key).update('mark').digest('hex').slice(0, 16)
  const users = plans.map(({ email, role, merchant }): DemoUser => {
    const walletId = merchants.find(({ name }) => name === merchant)?.walletId
    return { email, password, role, ...(walletId !== undefined && { wallet_id: walletId }) }
  })
  if (await haveBeenMade(deps.database, keyMark)) return users
  const hash = await hashPassword(deps.random, password)
  await deps.database.transaction(async (tx) => {
    await tx.run(takeLock)
    if (await haveBeenMade(tx, keyMark)) return
    for (const user of users) await makeUser(deps, tx, user, { hash, keyMark })
  })
  return users
}

async function makeUser(
  { clock }: DemoUsersDeps,
  tx: Executor,
  { email, role, wallet_id: walletId }: DemoUser,
  { hash, keyMark }: { readonly hash: string; readonly keyMark: string },
): Promise<void> {
  const now = clock.now()
  const known = await findUser(tx, email)
  const id = known?.id ?? `demo-${email}`
  if (known === undefined) {
    const name = plans.find((plan) => plan.email === email)?.name ?? email
    await insertUser(tx, { id, email, name, hash }, now)
  } else {
    await replacePassword(tx, id, hash, now)
  }
  await tx.run(updateMark, [id, keyMark])
  if (role === 'operator') await makeOperator(tx, id)
  else if (walletId !== undefined) await putMember(tx, { walletId: BigInt(walletId), role }, id, now)
}

const takeLock = statement(`select pg_advisory_xact_lock(hashtext('comporta demo world'))`)

/** Remembers the master key in `scope`, a column that the library does not use here. */
const updateMark = statement(`update backoffice.accounts set scope = $2 where user_id = $1`)
const haveBeenMade = storeFunction(
  (keyMark: string) => [keyMark],
  ([row]: { count: bigint }[]) => row !== undefined && row.count >= BigInt(plans.length),
)`
  select count(*) from backoffice.accounts where scope = $1`
