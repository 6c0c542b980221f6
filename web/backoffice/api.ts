// HTTP client of the backoffice.
import { saysSignedIn } from '../../src/backoffice/accounts/sign-in/cookies.ts'
import type { SessionAnswer } from '../../src/backoffice/contract/session.ts'

const base = '/backoffice/api'

export class ApiError extends Error {
  readonly status: number
  /** The code from the table of errors, or 0 if the browser did not reach the gateway. */
  readonly code: number
  readonly tid: string | undefined

  constructor(status: number, code: number, reason: string, tid?: string) {
    super(reason)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.tid = tid
  }

  get isSignedOut(): boolean {
    return this.code === 20001
  }

  get isForbidden(): boolean {
    return this.code === 20002
  }

  /** The gateway wants the password again. {@link whenConfirmed} asks for it. */
  get wantsConfirmation(): boolean {
    return this.code === 20010
  }

  get isOffline(): boolean {
    return this.code === 0
  }
}

/** A refusal means that nothing was done. After other errors the result is unknown. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

let csrfToken = ''
let askForConfirmation: (() => Promise<boolean>) | undefined

/** The session, or null if nobody is signed in. */
export async function readSession(): Promise<SessionAnswer | null> {
  if (!saysSignedIn(document.cookie)) return null
  try {
    const session = await read<SessionAnswer>('/session')
    csrfToken = session.csrf_token
    return session
  } catch (error) {
    if (error instanceof ApiError && error.isSignedOut) return null
    throw error
  }
}

/** Registers the dialog that asks for the password again. */
export function onConfirmation(ask: (() => Promise<boolean>) | undefined): void {
  askForConfirmation = ask
}

/**
 * `GET` below `/backoffice/api`.
 *
 * @throws {@link ApiError}
 */
export function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return send<Answer>(path, signal === undefined ? {} : { signal })
}

export interface Doing {
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  /** A UUID that the form keeps, so that the gateway executes a repeated request once. */
  readonly key?: string
}

/**
 * Sends a change below `/backoffice/api`. If the gateway wants the password again, asks for it and repeats the
 * request.
 * @throws {@link ApiError}
 */
export async function act<Answer>(path: string, doing: Doing = {}): Promise<Answer> {
  const { method = 'POST', body, key } = doing
  const init: RequestInit = {
    method,
    headers: {
      'x-csrf-token': csrfToken,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  try {
    return await send<Answer>(path, init)
  } catch (error) {
    const asks = error instanceof ApiError && error.wantsConfirmation && askForConfirmation !== undefined
    if (!asks || !(await askForConfirmation?.())) throw error
    return send<Answer>(path, init)
  }
}

async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(base + path, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      credentials: 'same-origin',
    })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new ApiError(0, 0, '')
  }
  const text = await response.text()
  const body = parsed(text)
  if (response.ok) return body as Answer
  const { code = 0, reason = '', tid } = (body ?? {}) as { code?: number; reason?: string; tid?: string }
  throw new ApiError(response.status, code, reason, tid)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
