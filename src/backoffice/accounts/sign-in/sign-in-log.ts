// Who signed in, and who tried to, in the log of who did what.
import type { AppRequest } from '../../../http/index.ts'
import type { Clock } from '../../../kernel/time.ts'
import type { Database } from '../../../storage/index.ts'
import { type AccountAction, noteOfAccount } from '../../access/actions-store.ts'

export interface SignInLog {
  /** Written before it is answered. */
  done(request: AppRequest, action: string, userId: string): Promise<void>
  /**
   * Written behind the answer, so that nobody learns from the time it takes whether there is such an account. Those that
   * must wait are not written: an account has as many as are judged.
   *
   * @param email as it was typed
   */
  failed(request: AppRequest, action: string, email: string): void
}

export function createSignInLog(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): SignInLog {
  const said = (request: AppRequest, action: string, status: number): AccountAction => ({
    at: deps.clock.now(),
    action,
    target: request.url.split('?')[0] ?? '',
    status,
    tid: request.id,
    address: request.ip,
  })
  return {
    done: (request, action, userId) => noteOfAccount(deps.database, said(request, action, 200), { userId }),
    failed(request, action, email) {
      noteOfAccount(deps.database, said(request, action, 401), { email }).catch(deps.onError)
    },
  }
}
