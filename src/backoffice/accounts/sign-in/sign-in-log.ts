// Sign-ins and failed sign-ins in the action log.
import type { AppRequest } from '../../../http/index.ts'
import type { Clock } from '../../../kernel/time.ts'
import type { Database } from '../../../storage/index.ts'
import { type AccountAction, logAccountAction } from '../../access/actions-store.ts'

export interface SignInLog {
  done(request: AppRequest, action: string, userId: string): Promise<void>
  /** Written after the answer: its time must not reveal whether the account exists. Waits are not logged. */
  failed(request: AppRequest, action: string, email: string): void
}

export function createSignInLog(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): SignInLog {
  const entry = (request: AppRequest, action: string, status: number): AccountAction => ({
    at: deps.clock.now(),
    action,
    target: request.url.split('?')[0] ?? '',
    status,
    tid: request.id,
    address: request.ip,
  })
  return {
    done: (request, action, userId) =>
      logAccountAction(deps.database, entry(request, action, 200), { userId }),
    failed(request, action, email) {
      logAccountAction(deps.database, entry(request, action, 401), { email }).catch(deps.onError)
    },
  }
}
