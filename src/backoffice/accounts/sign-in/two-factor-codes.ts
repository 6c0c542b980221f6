// Codes of authenticator apps: their accounts, and single use.
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { type Clock, minute, toTimestamp } from '../../../kernel/time.ts'
import { type Executor, hasRows, statement } from '../../../storage/index.ts'
import { type CookieRules, cookiesIn, endCookie } from './cookies.ts'

/** Used codes are kept longer than a code of an app stays valid. */
const keptForMs = 5 * minute

const waitingName = ({ prefix }: CookieRules) => `${prefix}.two_factor`

const selectWaiting = statement<{ id: string; email: string }>(`
  select users.id, users.email from backoffice.verifications join backoffice.users on users.id = value
  where identifier = $1`)

export interface Waiting {
  readonly id: string
  readonly email: string
  /** The `Cookie` header with which the library checks a code for this sign-in only. */
  readonly cookie: string
}

/** The sign-in that waits for a code, by its cookie (which the library verifies). Refuses two cookies. */
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

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

export function endWaiting(header: string | undefined, rules: CookieRules): string | undefined {
  return endCookie(header, waitingName(rules), rules)
}

/** Uses a code up before it is checked. Returns false if it was used in the last minutes. */
export const takeCode = hasRows((clock: Clock, userId: string, code: string) => [
  userId,
  code,
  toTimestamp(clock.now()),
  keptForMs / 1000,
])`
  with forgotten as (
    delete from backoffice.used_codes
    where user_id = $1 and code <> $2 and used_at < $3::timestamptz - make_interval(secs => $4)
  )
  insert into backoffice.used_codes as kept (user_id, code, used_at) values ($1, $2, $3)
  on conflict (user_id, code) do update set used_at = excluded.used_at
  where kept.used_at < $3::timestamptz - make_interval(secs => $4)
  returning code`
