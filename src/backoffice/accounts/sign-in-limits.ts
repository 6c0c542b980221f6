// How often somebody may try to sign in: per account and per address, alike for accounts that do not exist.
import { createHmac } from 'node:crypto'
import type { Refusal } from '../../kernel/result.ts'
import { deriveKey, type Keyring } from '../../kernel/sealing.ts'
import { type Clock, hour, type Instant, minute, second, toTimestamp } from '../../kernel/time.ts'
import { type Database, type Executor, statement } from '../../storage/index.ts'

/** Tries that are free of any wait; an office shares an address, nobody shares an account. */
const freeTries = { account: 5, address: 30 } as const
/** The first wait, doubled with each failure that follows. */
const firstWaitMs = minute
const waitMsMax = hour
/** Without a failure for so long, counting begins again. */
const forgetAfterMs = 24 * hour

export interface SignInLimits {
  /** Counts a try before it is judged, so that many at once count as many; answers why it must wait. */
  begin(email: string, address: string): Promise<Refusal | undefined>
  /** Forgets the failures of an account that was signed in to. */
  succeeded(email: string): Promise<void>
}

export function createSignInLimits(deps: {
  readonly database: Database
  readonly keyring: Keyring
  readonly clock: Clock
}): SignInLimits {
  const key = deriveKey(deps.keyring, 'backoffice sign-in')
  const subjectOf = (kind: keyof typeof freeTries, name: string) =>
    createHmac('sha256', key).update(`${kind} ${name.trim().toLowerCase()}`).digest()

  return {
    async begin(email, address) {
      const now = deps.clock.now()
      const account = await takeTry(deps.database, subjectOf('account', email), freeTries.account, now)
      const place = await takeTry(deps.database, subjectOf('address', address), freeTries.address, now)
      const until = Math.max(account ?? 0, place ?? 0)
      if (until === 0) return undefined
      const retrySeconds = Math.max(1, Math.ceil((until - now) / second))
      return {
        kind: 'too_many_requests',
        reason: `too many failed tries to sign in: try again in ${retrySeconds} s`,
        retrySeconds,
      }
    },
    async succeeded(email) {
      await deps.database.run(deleteFailures, [subjectOf('account', email)])
    },
  }
}

/** One statement, so that tries at the same moment wait for each other and each counts. */
const upsertFailure = statement<{ locked_until: Instant | null }>(`
  insert into backoffice.sign_in_failures as kept (subject, failures, modified_at)
  values ($1, 1, $2::timestamptz)
  on conflict (subject) do update set
    failures = case
      when kept.locked_until > $2 then kept.failures
      when kept.modified_at < $2::timestamptz - make_interval(secs => $5 / 1000.0) then 1
      else kept.failures + 1 end,
    locked_until = case
      when kept.locked_until > $2 then kept.locked_until
      when kept.modified_at < $2::timestamptz - make_interval(secs => $5 / 1000.0) or kept.failures < $3 then null
      else $2::timestamptz + make_interval(secs => least($4 * power(2, least(kept.failures - $3, 20)), $6) / 1000.0) end,
    modified_at = $2
  returning locked_until`)

/** @returns until when there is no further try; undefined where this one may be judged */
async function takeTry(
  db: Executor,
  subject: Buffer,
  free: number,
  now: Instant,
): Promise<Instant | undefined> {
  const parameters = [subject, toTimestamp(now), free, firstWaitMs, forgetAfterMs, waitMsMax]
  const [row] = await db.run(upsertFailure, parameters)
  return row?.locked_until ?? undefined
}

const deleteFailures = statement(`delete from backoffice.sign_in_failures where subject = $1`)
