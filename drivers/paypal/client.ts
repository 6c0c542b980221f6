// Calls to PayPal's REST API, with a cached access token.
import type { Connection, DriverTools } from '../../src/connections/index.ts'
import { after, type Instant, minute, second } from '../../src/kernel/time.ts'

/** The address for real money. `comporta connect paypal --test` sets the address of PayPal's sandbox. */
const apiBaseDefault = 'https://api-m.paypal.com'

/** The client renews a token early, so that it does not expire during a call. */
const renewedBeforeMs = 5 * minute

/** PayPal refused a request. `issue` is the word by which the driver decides (`details[].issue`, or `name`). */
export class PaypalRefusal extends Error {
  override readonly name = 'PaypalRefusal'
  readonly status: number
  readonly issue: string
  readonly code: string

  constructor(status: number, issue: string) {
    super(`PayPal answered ${status} ${issue}`)
    this.status = status
    this.issue = issue
    this.code = issue || `HTTP_${status}`
  }

  /**
   * Whether PayPal would refuse the same request again. Wrong keys and limits are not final: the operator can correct
   * them.
   */
  get isFinal(): boolean {
    return this.status === 400 || this.status === 422
  }
}

export interface Asked {
  readonly body?: object | undefined
  /**
   * With this id a repeated call is safe. PayPal answers the latest state for 6 hours, and for 45 days for refunds
   * and captures.
   */
  readonly requestId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Paypal {
  /** @throws PaypalRefusal for each answer that is not 2xx; another error if there is no answer */
  call<Answer>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, asked?: Asked): Promise<Answer>
  /** Gets a new token, so that revoked keys are noticed. Answers the permissions of the app. */
  signIn(): Promise<readonly string[]>
}

interface Token {
  readonly text: string
  readonly scopes: readonly string[]
  readonly until: Instant
}

/** The client uses one token for many calls, because PayPal answers 429 if each payment gets a new token. */
const newTokens = (): { current: Promise<Token> | undefined } => ({ current: undefined })

export function apiBaseOf({ settings }: Pick<Connection, 'settings'>): string {
  return (settings.api_base ?? apiBaseDefault).replace(/\/$/, '')
}

export function connectPaypal(
  connection: Pick<Connection, 'secrets' | 'settings' | 'kept'>,
  { fetch, clock, logger }: Pick<DriverTools, 'fetch' | 'clock' | 'logger'>,
): Paypal {
  const base = apiBaseOf(connection)
  const credentials = Buffer.from(
    `${connection.settings.client_id ?? ''}:${connection.secrets.client_secret ?? ''}`,
  ).toString('base64')
  const tokens = connection.kept(newTokens)

  async function requestToken(): Promise<Token> {
    const headers = {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    }
    const asked = { method: 'POST', headers, body: 'grant_type=client_credentials' }
    const response = await fetch(`${base}/v1/oauth2/token`, asked)
    const answer = await bodyOf(response)
    const { access_token: text, expires_in: seconds, scope } = answer
    if (!response.ok || typeof text !== 'string') throw refusalOf(response.status, answer)
    const lifetimeMs = (typeof seconds === 'number' ? seconds : 0) * second
    const scopes = typeof scope === 'string' ? scope.split(' ') : []
    return { text, scopes, until: after(clock.now(), lifetimeMs - renewedBeforeMs) }
  }

  function newToken(): Promise<Token> {
    const asked = requestToken()
    tokens.current = asked
    // The client forgets a failed request for a token, so that the next call tries again.
    asked.catch(() => {
      if (tokens.current === asked) tokens.current = undefined
    })
    return asked
  }

  async function token(): Promise<Token> {
    const known = await tokens.current
    return known !== undefined && clock.now() < known.until ? known : newToken()
  }

  async function send(method: string, path: string, asked: Asked, { text }: Token): Promise<Response> {
    const { body, requestId, signal } = asked
    signal?.throwIfAborted()
    return fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${text}`,
        accept: 'application/json',
        'content-type': 'application/json',
        // Without this header, answers lack captures and fees.
        prefer: 'return=representation',
        ...(requestId !== undefined && { 'paypal-request-id': requestId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  }

  return {
    async call<Answer>(method: string, path: string, asked: Asked = {}) {
      let response = await send(method, path, asked, await token())
      // The token was revoked or ended early. PayPal did nothing, so the client repeats the call once.
      if (response.status === 401) response = await send(method, path, asked, await newToken())
      const answer = await bodyOf(response)
      if (response.ok) return answer as Answer
      const refusal = refusalOf(response.status, answer)
      const { status, issue } = refusal
      logger.warn({ status, issue, debug_id: textOf(answer.debug_id) }, 'PayPal refused a request')
      throw refusal
    },
    signIn: async () => (await newToken()).scopes,
  }
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    // After an empty or broken answer with a status of success, the caller must ask for the state.
    if (response.ok && text !== '') throw new PaypalRefusal(response.status, 'UNREADABLE')
    return {}
  }
}

function refusalOf(status: number, answer: Record<string, unknown>): PaypalRefusal {
  const [detail] = Array.isArray(answer.details) ? (answer.details as { issue?: unknown }[]) : []
  const issue = textOf(detail?.issue) ?? textOf(answer.name) ?? textOf(answer.error) ?? ''
  return new PaypalRefusal(status, issue)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.-]{1,80}$/.test(value) ? value : undefined
}
