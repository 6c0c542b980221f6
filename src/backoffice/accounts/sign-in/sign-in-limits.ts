// Limits of sign-in tries. Unknown accounts have the same (docs/decisions/0021).
import { createHmac } from 'node:crypto'
import { addressSubject } from '../../../http/index.ts'
import type { Refusal } from '../../../kernel/result.ts'
import { deriveKey, type Keyring } from '../../../kernel/sealing.ts'
import { after, type Clock, hour, type Instant, minute, second, toTimestamp } from '../../../kernel/time.ts'
import { type Database, statement, storeFunction } from '../../../storage/index.ts'

/** The tries before the first wait. People in an office share an address, but not an account. */
const freeTries = {
  device: 5,
  pair: 5,
  /** Tries at one account by a person who has its password or a session. */
  holder: 5,
  address: 30,
  /** Tries at one account from all addresses. Only someone with many addresses can block an account. */
  account: 100,
} as const

type Counted = keyof typeof freeTries

const firstWaitMs = minute
const waitMsMax = hour
const forgetAfterMs = 24 * hour

export interface Try {
  readonly address: string
  readonly account?: string | undefined
  readonly device?: string | undefined
  readonly isHolder?: boolean
}

export interface SignInLimits {
  /** Counts the try before it is checked, so that parallel tries count. Returns a refusal if it must wait. */
  begin(tried: Try): Promise<Refusal | undefined>
  /** Forgets the person's own failures, and this try in the shared counters. */
  succeeded(tried: Try): Promise<void>
  purge(): Promise<void>
}

export function createSignInLimits(deps: {
  readonly database: Database
  readonly keyring: Keyring
  readonly clock: Clock
}): SignInLimits {
  const { database } = deps
  const key = deriveKey(deps.keyring, 'backoffice sign-in')
  const subjectOf = (kind: Counted, name: string): Subject => ({
    digest: createHmac('sha256', key).update(`${kind} ${name}`).digest(),
    free: freeTries[kind],
  })

  /** The counters of a try. A whole IPv6 network counts as one address. */
  function subjectsOf(tried: Try): { readonly own: readonly Subject[]; readonly shared: readonly Subject[] } {
    const account = tried.account?.trim().toLowerCase()
    if (tried.device !== undefined) {
      return { own: [subjectOf('device', `${tried.device} ${account ?? ''}`)], shared: [] }
    }
    const address = addressSubject(tried.address)
    const shared = [subjectOf('address', address)]
    if (account === undefined) return { own: [], shared }
    if (tried.isHolder === true) return { own: [subjectOf('holder', account)], shared }
    return {
      own: [subjectOf('pair', `${address} ${account}`)],
      shared: [...shared, subjectOf('account', account)],
    }
  }

  return {
    async begin(tried) {
      const now = deps.clock.now()
      const { own, shared } = subjectsOf(tried)
      const subjects = [...own, ...shared]
      // A refused try does not count, so nobody extends a wait by trying.
      let until = await runningWait(database, subjects, now)
      for (const subject of subjects) until ??= await takeTry(database, subject, now)
      if (until !== undefined) {
        const retrySeconds = Math.max(1, Math.ceil((until - now) / second))
        return {
          kind: 'too_many_requests',
          reason: `too many failed tries to sign in: try again in ${retrySeconds} s`,
          retrySeconds,
        }
      }
      return undefined
    },
    async succeeded(tried) {
      const { own, shared } = subjectsOf(tried)
      for (const { digest } of own) await database.run(deleteFailures, [digest])
      for (const { digest } of shared) await database.run(takeBackFailure, [digest])
    },
    async purge() {
      await database.run(deleteOld, [toTimestamp(after(deps.clock.now(), -forgetAfterMs))])
    },
  }
}

interface Subject {
  readonly digest: Buffer
  readonly free: number
}

const runningWait = storeFunction(
  (subjects: readonly Subject[], now: Instant) => [
    subjects.map(({ digest }) => digest.toString('hex')),
    toTimestamp(now),
  ],
  ([row]: { until: Instant | null }[]) => row?.until ?? undefined,
)`
  select max(locked_until) as until from backoffice.sign_in_failures
  where subject in (select decode(digest, 'hex') from unnest($1::text[]) as digest) and locked_until > $2`

/**
 * Counts in one statement, so that parallel tries wait for each other. The first try after a wait is checked
 * and starts the next wait. Tries during a wait change nothing.
 */
const takeTry = storeFunction(
  ({ digest, free }: Subject, now: Instant) => [
    digest,
    toTimestamp(now),
    free,
    firstWaitMs,
    forgetAfterMs,
    waitMsMax,
  ],
  ([row]: { refused: boolean; locked_until: Instant | null }[]) =>
    row?.refused === true ? (row.locked_until ?? undefined) : undefined,
)`
  insert into backoffice.sign_in_failures as kept (subject, failures, modified_at)
  values ($1, 1, $2::timestamptz)
  on conflict (subject) do update set
    refused = coalesce(kept.locked_until > $2, false),
    failures = case
      when kept.locked_until > $2 then kept.failures
      when kept.modified_at < $2::timestamptz - make_interval(secs => $5 / 1000.0) then 1
      else kept.failures + 1 end,
    locked_until = case
      when kept.locked_until > $2 then kept.locked_until
      when kept.modified_at < $2::timestamptz - make_interval(secs => $5 / 1000.0)
        or kept.failures + 1 < $3 then null
      else $2::timestamptz + make_interval(
        secs => least($4 * power(2, least(kept.failures + 1 - $3, 20)), $6) / 1000.0) end,
    modified_at = case when kept.locked_until > $2 then kept.modified_at else $2 end
  returning refused, locked_until`

const deleteFailures = statement(`delete from backoffice.sign_in_failures where subject = $1`)

const takeBackFailure = statement(`
  update backoffice.sign_in_failures
  set failures = greatest(failures - 1, 0), locked_until = null
  where subject = $1`)

const deleteOld = statement(`
  delete from backoffice.sign_in_failures where modified_at < $1 and (locked_until is null or locked_until < $1)`)
