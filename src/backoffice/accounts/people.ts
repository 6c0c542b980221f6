// Inviting, listing and removing people.
import { newId } from '../../kernel/random.ts'
import { deny, ok, type Refusal, type Result, refuse } from '../../kernel/result.ts'
import type { Mail } from '../../mail/index.ts'
import type { Core } from '../../module.ts'
import type { Executor } from '../../storage/index.ts'
import { logAccountAction } from '../access/actions-store.ts'
import {
  consumeLink,
  findLink,
  linkLifeMs,
  makeLink,
  type OneTimeLink,
  opensOtherTeams,
} from './one-time-links.ts'
import { hashPassword, passwordLengthMax, passwordLengthMin, verifyPassword } from './passwords.ts'
import { listPeople, removePerson } from './people-store.ts'
import {
  findUser,
  insertUser,
  makeOperator,
  passwordHashOf,
  putMember,
  removeTwoFactor,
  replacePassword,
} from './store.ts'
import { weaknessOf } from './weak-passwords.ts'

export interface PeopleDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'baseUrl'> {
  readonly mail: Pick<Mail, 'addAccountLink'>
}

export interface NewLink {
  readonly url: string
  readonly email: string
}

interface NewAccount {
  readonly hash: string | undefined
  readonly name: string | undefined
}

export interface UsedBy {
  readonly tid: string
  readonly target: string
  readonly address: string
}

const changedMeanwhile = 'the account was made or removed just now: try again'

export type People = ReturnType<typeof createPeople>

export function createPeople(deps: PeopleDeps) {
  const { database, clock } = deps

  /** `ofTeam`: the merchant that sends the mail. */
  async function linkTo(link: OneTimeLink, ofTeam: bigint | undefined): Promise<NewLink> {
    return database.transaction(async (tx) => {
      const { token, expiresAt: expires } = await makeLink(tx, deps, link)
      const url = `${deps.baseUrl}/backoffice/join#${token}`
      const { purpose: kind, email } = link
      const lifeMs = linkLifeMs[kind]
      await deps.mail.addAccountLink(tx, { kind, walletId: ofTeam, email, url, expires, lifeMs })
      return { url, email }
    })
  }

  return {
    /** Invites a person into the team of a wallet, or without one to the operators. */
    async invite(
      link: Pick<OneTimeLink, 'email' | 'walletId' | 'role' | 'invitedBy'>,
    ): Promise<Result<NewLink>> {
      if (!isEmail(link.email)) return refuse('invalid_parameter', emailReason)
      return ok(await linkTo({ ...link, purpose: 'invitation' }, link.walletId))
    },

    /**
     * Makes a link for a new password, for the operator or an owner. Refusals: not_found; access_denied for
     * an owner if the link would open other teams or remove their own app.
     */
    async resetPassword(
      email: string,
      {
        ownerId,
        ofTeam,
        takesTwoFactor = false,
      }: { ownerId?: string | undefined; ofTeam?: bigint; takesTwoFactor?: boolean } = {},
    ): Promise<Result<NewLink>> {
      const user = await findUser(database, email)
      if (user === undefined) return refuse('not_found', `there is nobody with the address ${email}`)
      if (takesTwoFactor && user.id === ownerId) {
        return refuse('access_denied', 'stop using your own authenticator app under Security, with a code')
      }
      if (ownerId !== undefined && (await opensOtherTeams(database, email.toLowerCase(), ownerId))) {
        return refuse(
          'access_denied',
          `${email} belongs to other teams too: only the operator makes this link`,
        )
      }
      const link = { walletId: undefined, role: undefined, invitedBy: ownerId, takesTwoFactor }
      return ok(await linkTo({ purpose: 'password', email: email.toLowerCase(), ...link }, ofTeam))
    },

    list: () => listPeople(database),

    /** Refusals: not_found; illegal_state for the only owner of a team. */
    remove: (email: string) => removePerson(database, email),

    async lookAt(token: string) {
      const link = await findLink(database, token, clock.now())
      if (!link.ok) return link
      const user = await findUser(database, link.value.email)
      return ok({ ...link.value, hasAccount: user !== undefined })
    },

    /**
     * Uses a link: creates the account or checks its password, and joins the team. Refusals: not_found,
     * illegal_state; invalid_parameter for a wrong password or missing name.
     */
    async join(
      token: string,
      given: { password: string; name?: string | undefined },
      by: UsedBy,
    ): Promise<Result<string>> {
      const now = clock.now()
      const found = await findLink(database, token, now)
      if (!found.ok) return found
      const { email, purpose } = found.value
      const user = await findUser(database, email)
      const isNew = user === undefined || purpose === 'password'
      const problem = isNew
        ? problemOfNew({ ...given, email }, user === undefined)
        : await problemOfKnown(database, email, given.password)
      if (problem !== undefined) return { ok: false, refusal: problem }
      const hash = isNew ? await hashPassword(deps.random, given.password) : undefined
      await applyLink(deps, token, found.value, { hash, name: given.name?.trim() }, by)
      return ok(email)
    },
  }
}

async function writeAccount(
  deps: PeopleDeps,
  tx: Executor,
  { email, purpose }: Pick<OneTimeLink, 'email' | 'purpose'>,
  { hash, name }: NewAccount,
): Promise<string> {
  const now = deps.clock.now()
  const known = await findUser(tx, email)
  if (known !== undefined) {
    // An invitation never replaces a password. Another link has created the account meanwhile.
    if (hash !== undefined && purpose === 'invitation') deny('illegal_state', changedMeanwhile)
    if (hash !== undefined) await replacePassword(tx, known.id, hash, now)
    return known.id
  }
  const id = newId(now, deps.random)
  const isMade = hash !== undefined && (await insertUser(tx, { id, email, name: name ?? email, hash }, now))
  if (!isMade) deny('illegal_state', changedMeanwhile)
  return id
}

/** Everything is one transaction, so that a link is never used up without effect. */
async function applyLink(
  deps: PeopleDeps,
  token: string,
  link: OneTimeLink,
  account: NewAccount,
  by: UsedBy,
): Promise<void> {
  const { purpose, walletId, role } = link
  await deps.database.transaction(async (tx: Executor) => {
    const userId = await writeAccount(deps, tx, link, account)
    const now = deps.clock.now()
    if (!(await consumeLink(tx, token, now))) deny('illegal_state', spent)
    if (link.takesTwoFactor === true) await removeTwoFactor(tx, userId, now)
    const joined = walletId !== undefined && role !== undefined
    const changes = joined ? [{ field: `team ${link.email}`, old: '', new: role }] : undefined
    const entry = {
      at: now,
      status: 200,
      action: usedFor(link),
      walletId,
      ...(changes && { changes }),
      ...by,
    }
    await logAccountAction(tx, entry, { userId })
    if (purpose === 'password') return
    if (walletId === undefined || role === undefined) await makeOperator(tx, userId)
    else await putMember(tx, { walletId, role }, userId, now)
  })
}

async function problemOfKnown(db: Executor, email: string, password: string): Promise<Refusal | undefined> {
  const hash = await passwordHashOf(db, email)
  if (hash !== undefined && (await verifyPassword({ hash, password }))) return undefined
  return { kind: 'authentication_required', reason: 'password is not that of your account' }
}

function usedFor({ purpose, walletId, takesTwoFactor }: OneTimeLink): string {
  if (purpose === 'invitation') return walletId === undefined ? 'Join the operators' : 'Join a team'
  return takesTwoFactor === true
    ? 'Choose a password by a link that took two-factor away'
    : 'Choose a password by a link'
}

const spent = 'the link can be used no more: ask for a new one'
const emailReason = 'email must be an address, such as ana@example.com'

function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}

function problemOfNew(
  {
    password,
    email,
    name = '',
  }: { readonly password: string; readonly email: string; readonly name?: string | undefined },
  needsName: boolean,
): Refusal | undefined {
  const { length } = password
  if (length < passwordLengthMin || length > passwordLengthMax) {
    const reason = `password must have ${passwordLengthMin} to ${passwordLengthMax} characters`
    return { kind: 'invalid_parameter', reason }
  }
  const weakness = weaknessOf(password, email)
  if (weakness !== undefined) return { kind: 'invalid_parameter', reason: weakness }
  if (needsName && name.trim() === '') return { kind: 'invalid_parameter', reason: 'name must be your name' }
  return undefined
}
