// What the log of who did what keeps of a request beside its path: an amount, whom or what it names, its key.
import type { AppRequest } from '../../http/index.ts'
import { requestIdOf } from '../../idempotency/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { type Executor, statement } from '../../storage/index.ts'
import type { NewAction } from './actions-store.ts'

type Asked = Pick<NewAction, 'amount' | 'about' | 'requestId'>

const aboutMax = 120

/** Fields of bodies that name something and are no secret, in the order in which they say most. */
const naming = ['email', 'name', 'description', 'role'] as const

/** Must be read before it is done: who is removed has no name afterwards. */
export async function whatWasAsked(db: Executor, request: AppRequest): Promise<Asked> {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const { id } = (request.params ?? {}) as { readonly id?: string }
  const isMember = request.routeOptions.url?.includes('/team/members/:id') === true
  const who = isMember && id !== undefined ? await emailOf(db, id) : undefined
  // What has a number or a short name of its own: a merchant, a key; operations are in the path.
  const named = id === undefined || isMember || isUuid(id) ? undefined : id
  const about = [who ?? named, ...naming.map((field) => body[field])]
    .filter((word): word is string => typeof word === 'string' && word.trim() !== '')
    .join(' · ')
  return {
    amount: centsIn(body.amount ?? (body.payment as { readonly amount?: unknown } | undefined)?.amount),
    about: about === '' ? undefined : about.slice(0, aboutMax),
    requestId: requestIdOf(request),
  }
}

function centsIn(amount: unknown): bigint | undefined {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined
  const cents = Math.round(Number(amount) * 100)
  return Number.isSafeInteger(cents) && cents !== 0 ? BigInt(cents) : undefined
}

const selectEmail = statement<{ email: string }>(`select email from backoffice.users where id = $1`)

async function emailOf(db: Executor, userId: string): Promise<string | undefined> {
  const [row] = await db.run(selectEmail, [userId])
  return row?.email
}
