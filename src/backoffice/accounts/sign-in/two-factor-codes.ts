// Codes of authenticator apps: whose they are, and that each is used once, which the library leaves open.

import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { type Clock, minute, toTimestamp } from '../../../kernel/time.ts'
import { type Executor, statement } from '../../../storage/index.ts'
import { type CookieRules, cookiesIn, endCookie } from './cookies.ts'

/** An app shows a code for half a minute, and one that is a step early or late is taken too. */
const keptForMs = 5 * minute

/** In which the library keeps which sign-in waits for a code. */
const waitingName = ({ prefix }: CookieRules) => `${prefix}.two_factor`

const selectWaiting = statement<{ id: string; email: string }>(`
  select users.id, users.email from backoffice.verifications join backoffice.users on users.id = value
  where identifier = $1`)

/** A sign-in that waits for its code. */
export interface Waiting {
  readonly id: string
  readonly email: string
  /** `Cookie` with which the library judges a code of this sign-in, and of no other. */
  readonly cookie: string
}

/**
 * Who has shown their password and is asked for a code, by the cookie; whether it is genuine the library checks.
 *
 * @param header `Cookie`, as it was sent
 * @returns refuses two such cookies, of which another reader might take the other one
 */
export async function whoseCodeIsAsked(
  db: Executor,
  header: string | undefined,
  rules: CookieRules,
): Promise<Result<Waiting | undefined>> {
  const name = waitingName(rules)
  const [sent, ...others] = cookiesIn(header, name)
  if (others.length > 0) return refuse('invalid_parameter', `cookie ${name} must be sent once`)
  if (sent === undefined) return ok(undefined)
  const [identifier = ''] = decoded(sent).split('.')
  const [row] = await db.run(selectWaiting, [identifier])
  return ok(row && { ...row, cookie: `${name}=${sent}` })
}

/** As the library reads values. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** `Set-Cookie` for who has signed in otherwise: no sign-in waits for a code any longer. */
export function endWaiting(header: string | undefined, rules: CookieRules): string | undefined {
  return endCookie(header, waitingName(rules), rules)
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
