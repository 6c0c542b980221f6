// Makes people: by a one-time link, by a command, and those of the demo world.

import { newId, type Randomness } from '../../kernel/random.ts'
import { ok, type Refusal, type Result, refuse } from '../../kernel/result.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import { consumeLink, findLink, makeLink, type OneTimeLink } from './one-time-links.ts'
import { hashPassword, passwordLengthMax, passwordLengthMin, verifyPassword } from './passwords.ts'
import { findUser, insertUser, makeOperator, passwordHashOf, putMember, replacePassword } from './store.ts'

export interface PeopleDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly baseUrl: string
}

export interface NewLink {
  readonly url: string
  readonly email: string
}

export type People = ReturnType<typeof createPeople>

export function createPeople(deps: PeopleDeps) {
  const { database, clock } = deps

  async function linkTo(link: OneTimeLink): Promise<NewLink> {
    const token = await makeLink(database, deps, link)
    return { url: `${deps.baseUrl}/backoffice/join#${token}`, email: link.email }
  }

  /** The account of that address with that password, made where there is none. @returns its id */
  async function setPassword(email: string, password: string, name?: string): Promise<string> {
    const hash = await hashPassword(deps.random, password)
    const known = await findUser(database, email)
    if (known === undefined) {
      const id = newId(clock.now(), deps.random)
      await insertUser(database, { id, email, name: name ?? email, hash }, clock.now())
      return id
    }
    await replacePassword(database, known.id, hash, clock.now())
    return known.id
  }

  return {
    /** A link for the operator's own people, or with a wallet into the team of its merchant. */
    async invite(
      link: Pick<OneTimeLink, 'email' | 'walletId' | 'role' | 'invitedBy'>,
    ): Promise<Result<NewLink>> {
      if (!isEmail(link.email)) return refuse('invalid_parameter', emailReason)
      return ok(await linkTo({ ...link, purpose: 'invitation' }))
    },

    /** A link for a new password. Refusals: not_found. */
    async resetPassword(email: string): Promise<Result<NewLink>> {
      const user = await findUser(database, email)
      if (user === undefined) return refuse('not_found', `there is nobody with the address ${email}`)
      const nobody = { walletId: undefined, role: undefined, invitedBy: undefined }
      return ok(await linkTo({ purpose: 'password', email: email.toLowerCase(), ...nobody }))
    },

    /** What a link is for, before it is used. Refusals: not_found, illegal_state. */
    async lookAt(token: string) {
      const link = await findLink(database, token, clock.now())
      if (!link.ok) return link
      const user = await findUser(database, link.value.email)
      return ok({ ...link.value, hasAccount: user !== undefined })
    },

    /**
     * Uses a link: makes the account where there is none, sets its password, joins the team.
     *
     * Refusals: not_found, illegal_state; invalid_parameter for a password that is too short or long, or a name that is
     * missing. Who has an account joins by its password.
     */
    async join(
      token: string,
      given: { password: string; name?: string | undefined },
    ): Promise<Result<string>> {
      const now = clock.now()
      const found = await findLink(database, token, now)
      if (!found.ok) return found
      const { email, purpose, walletId, role } = found.value
      const user = await findUser(database, email)
      const isNew = user === undefined || purpose === 'password'
      const problem = isNew
        ? problemOfNew(given, user === undefined)
        : await problemOfKnown(email, given.password)
      if (problem !== undefined) return { ok: false, refusal: problem }
      if (!(await consumeLink(database, token, now))) {
        return refuse('illegal_state', 'the link was used, or replaced by a later one')
      }
      const userId = isNew ? await setPassword(email, given.password, given.name?.trim()) : user.id
      if (purpose === 'invitation') {
        if (walletId === undefined || role === undefined) await makeOperator(database, userId)
        else await putMember(database, { walletId, role }, userId, now)
      }
      return ok(email)
    },
  }

  async function problemOfKnown(email: string, password: string): Promise<Refusal | undefined> {
    const hash = await passwordHashOf(database, email)
    if (hash !== undefined && (await verifyPassword({ hash, password }))) return undefined
    return { kind: 'authentication_failed', reason: 'password is not that of your account' }
  }
}

const emailReason = 'email must be an address, such as ana@example.com'

function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}

function problemOfNew(
  { password, name = '' }: { readonly password: string; readonly name?: string | undefined },
  needsName: boolean,
): Refusal | undefined {
  const { length } = password
  if (length < passwordLengthMin || length > passwordLengthMax) {
    const reason = `password must have ${passwordLengthMin} to ${passwordLengthMax} characters`
    return { kind: 'invalid_parameter', reason }
  }
  if (needsName && name.trim() === '') return { kind: 'invalid_parameter', reason: 'name must be your name' }
  return undefined
}
