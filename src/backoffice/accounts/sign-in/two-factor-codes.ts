// Codes of authenticator apps: whose they are, and that each is used once, which the library leaves open.
import { type Clock, minute, toTimestamp } from '../../../kernel/time.ts'
import { type Executor, statement } from '../../../storage/index.ts'

/** An app shows a code for half a minute, and one that is a step early or late is taken too. */
const keptForMs = 5 * minute

/** In which the library keeps which sign-in waits for a code; read exactly as the library reads it. */
const cookieName = 'two_factor'

const selectWaiting = statement<{ id: string; email: string }>(`
  select users.id, users.email from backoffice.verifications join backoffice.users on users.id = value
  where identifier = $1`)

/**
 * Who has shown their password and is asked for a code, by the cookie; whether it is genuine the library checks.
 *
 * @param prefix of the cookies' names
 */
export async function whoseCodeIsAsked(
  db: Executor,
  cookie: string | undefined,
  prefix: string,
): Promise<{ readonly id: string; readonly email: string } | undefined> {
  // As late as the library itself is loaded.
  const { parseCookies } = await import('better-auth/cookies')
  const value = parseCookies(cookie ?? '').get(`${prefix}.${cookieName}`)
  if (value === undefined) return undefined
  const identifier = value.split('.')[0] ?? ''
  const [row] = await db.run(selectWaiting, [identifier])
  return row
}

const insertCode = statement<{ code: string }>(`
  with forgotten as (
    delete from backoffice.used_codes
    where user_id = $1 and code <> $2 and used_at < $3::timestamptz - make_interval(secs => $4)
  )
  insert into backoffice.used_codes as kept (user_id, code, used_at) values ($1, $2, $3)
  on conflict (user_id, code) do update set used_at = excluded.used_at
  where kept.used_at < $3::timestamptz - make_interval(secs => $4)
  returning code`)

/** Takes a code before it is judged. @returns whether nobody had typed it in the last minutes: of two at once one does */
export async function takeCode(db: Executor, clock: Clock, userId: string, code: string): Promise<boolean> {
  const parameters = [userId, code, toTimestamp(clock.now()), keptForMs / 1000]
  return (await db.run(insertCode, parameters)).length === 1
}
