// Facts of a request for the action log: amount, object and idempotency key.
import type { AppRequest } from '../../http/index.ts'
import { requestIdOf } from '../../idempotency/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { type Executor, storeFunction } from '../../storage/index.ts'
import type { NewAction } from './actions-store.ts'

type Asked = Pick<NewAction, 'amount' | 'about' | 'requestId'>

const aboutMax = 120

/** Body fields that name an object and are not secret, the most useful first. */
const naming = ['email', 'name', 'description', 'role'] as const

/** Call it before the action, because afterwards a removed person has no name. */
export async function whatWasAsked(db: Executor, request: AppRequest): Promise<Asked> {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const { id } = (request.params ?? {}) as { readonly id?: string }
  const isMember = request.routeOptions.url?.includes('/team/members/:id') === true
  const who = isMember && id !== undefined ? await emailOf(db, id) : undefined
  const named = id === undefined || isMember || isUuid(id) ? undefined : id
  // Customers can be erased; the log cannot.
  const isCustomer = request.routeOptions.url?.includes('/customers') === true
  const about = [who ?? named, ...(isCustomer ? [] : naming).map((field) => body[field])]
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

const emailOf = storeFunction(
  (userId: string) => [userId],
  ([row]: { email: string }[]) => row?.email,
)`
  select email from backoffice.users where id = $1`
