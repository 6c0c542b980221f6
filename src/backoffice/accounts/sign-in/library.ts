// Requests to the account library, and their answers.
import type { AppReply, AppRequest } from '../../../http/index.ts'
import { deny, type RefusalKind } from '../../../kernel/result.ts'
import { type Auth, addressHeader, authPath } from '../auth.ts'
import { passCookies } from './cookies.ts'

export interface SignedIn {
  readonly twoFactorRedirect?: boolean
  readonly user?: { readonly id: string }
  readonly session?: { readonly userId: string }
}

export interface Library {
  /** Sends only the given body. `cookie` replaces the cookie of the request. */
  ask(request: AppRequest, path: string, body?: unknown, cookie?: string): Promise<Response>
}

export function createLibrary(auth: () => Promise<Auth>, baseUrl: string): Library {
  const { origin, host } = new URL(baseUrl)
  return {
    async ask(request, path, body, cookie = request.headers.cookie) {
      const headers = new Headers({ origin, [addressHeader]: request.ip, host })
      const userAgent = request.headers['user-agent']
      if (cookie !== undefined) headers.set('cookie', cookie)
      if (userAgent !== undefined) headers.set('user-agent', userAgent)
      const { method } = request
      const url = `${origin}${authPath}${path}`
      if (method === 'GET') return (await auth()).handler(new Request(url, { headers }))
      headers.set('content-type', 'application/json')
      return (await auth()).handler(new Request(url, { method, headers, body: JSON.stringify(body ?? {}) }))
    },
  }
}

/** Sends the library's answer to the client. Its errors become our refusals. */
export async function pass(reply: AppReply, response: Response): Promise<AppReply> {
  passCookies(reply, response.headers)
  const text = await response.text()
  if (response.ok) return reply.type('application/json; charset=utf-8').send(text === '' ? '{}' : text)
  return deny(kindOf(response.status), reasonOf(text))
}

/** Answers of the library from this status on have a cause in the server, such as a missing database. */
export const serverError = 500

function kindOf(status: number): RefusalKind {
  if (status === 401) return 'authentication_required'
  if (status === 403) return 'access_denied'
  if (status === 404) return 'not_found'
  if (status === 429) return 'too_many_requests'
  return status < serverError ? 'invalid_parameter' : 'service_unavailable'
}

function reasonOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: string }
    if (typeof message === 'string' && message !== '') return message
  } catch {}
  return 'this was refused'
}
