// How often somebody may try to sign in: per account and per address, alike for accounts that do not exist.
import { createHmac } from 'node:crypto'
import { addressSubject } from '../../../http/index.ts'
import type { Refusal } from '../../../kernel/result.ts'
import { deriveKey, type Keyring } from '../../../kernel/sealing.ts'
import { after, type Clock, hour, type Instant, minute, second, toTimestamp } from '../../../kernel/time.ts'
import { type Database, type Executor, statement } from '../../../storage/index.ts'

/** Tries that are free of any wait; an office shares an address, nobody shares an account. */
const freeTries = { account: 5, address: 30 } as const
/** The first wait, doubled with each failure that follows. */
const firstWaitMs = minute
const waitMsMax = hour
/** Without a failure for so long, counting begins again. */
const forgetAfterMs = 24 * hour

export interface SignInLimits {
  /**
   * Counts a try before it is judged, so that many at once count as many; answers why it must wait.
   *
   * @param account undefined where nobody's is tried
   */
  begin(account: string | undefined, address: string): Promise<Refusal | undefined>
  /** Forgets the failures of an account that was signed in to, and that this try was one of its address. */
  succeeded(account: string | undefined, address: string): Promise<void>
  /** Forgets what is too old to count. */
  purge(): Promise<void>
}

export function createSignInLimits(deps: {
  readonly database: Database
  readonly keyring: Keyring
  readonly clock: Clock
}): SignInLimits {
  const { database } = deps
  const key = deriveKey(deps.keyring, 'backoffice sign-in')
  const subjectOf = (kind: keyof typeof freeTries, name: string) =>
    createHmac('sha256', key).update(`${kind} ${name.trim().toLowerCase()}`).digest()

  /** A network of addresses that one host may have all of counts as one. */
  const ofAddress = (address: string) => subjectOf('address', addressSubject(address))

  return {
    async begin(account, address) {
      const now = deps.clock.now()
      // The address first: one that must wait locks nobody's account.
      const until =
        (await takeTry(database, ofAddress(address), freeTries.address, now)) ??
        (account === undefined
          ? undefined
          : await takeTry(database, subjectOf('account', account), freeTries.account, now))
      if (until === undefined) return undefined
      const retrySeconds = Math.max(1, Math.ceil((until - now) / second))
      return {
        kind: 'too_many_requests',
        reason: `too many failed tries to sign in: try again in ${retrySeconds} s`,
        retrySeconds,
      }
    },
    async succeeded(account, address) {
      if (account !== undefined) await database.run(deleteFailures, [subjectOf('account', account)])
      await database.run(takeBackFailure, [ofAddress(address)])
    },
    async purge() {
      await database.run(deleteOld, [toTimestamp(after(deps.clock.now(), -forgetAfterMs))])
    },
  }
}

/**
 * One statement, so that tries at the same moment wait for each other and each counts. The try that comes when a wait is
 * over is judged, and has the next one wait; those that come while there is a wait change nothing.
 */
const upsertFailure = statement<{ refused: boolean; locked_until: Instant | null }>(`
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
  returning refused, locked_until`)

/** @returns until when there is no further try; undefined where this one may be judged */
async function takeTry(
  db: Executor,
  subject: Buffer,
  free: number,
  now: Instant,
): Promise<Instant | undefined> {
  const parameters = [subject, toTimestamp(now), free, firstWaitMs, forgetAfterMs, waitMsMax]
  const [row] = await db.run(upsertFailure, parameters)
  return row?.refused === true ? (row.locked_until ?? undefined) : undefined
}

const deleteFailures = statement(`delete from backoffice.sign_in_failures where subject = $1`)

const takeBackFailure = statement(`
  update backoffice.sign_in_failures
  set failures = greatest(failures - 1, 0), locked_until = null
  where subject = $1`)

const deleteOld = statement(`
  delete from backoffice.sign_in_failures where modified_at < $1 and (locked_until is null or locked_until < $1)`)
