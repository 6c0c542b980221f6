// Options of a client and of a call, with their checks.

export interface ComportaOptions {
  /** API key, `cmp_test_…` or `cmp_live_…`. */
  readonly apiKey: string
  /** Address of the gateway, such as `https://pay.example`. */
  readonly baseUrl: string
  /** ESB token for the card API. */
  readonly esbToken?: string | undefined
  /** Scheme of the `Authorization` header. Default: `Comporta`. */
  readonly authScheme?: string | undefined
  /** Milliseconds for one attempt. Default: 35 000; the gateway needs at most 30 s. */
  readonly timeout?: number | undefined
  /** Milliseconds for all attempts. Default: 120 000. */
  readonly totalTimeout?: number | undefined
  /** Maximum number of safe repeated attempts. Default: 3. */
  readonly retries?: number | undefined
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface CallOptions {
  /** Milliseconds for one attempt. */
  readonly timeout?: number
  /** Milliseconds for all attempts. */
  readonly totalTimeout?: number
  /** Maximum number of safe repeated attempts. */
  readonly retries?: number
  /** Aborts the call, which then rejects with the reason. Use `requestId` to find its result. */
  readonly signal?: AbortSignal
  /** Idempotency key, a UUID. Default: a new one for each call that creates something. */
  readonly requestId?: string
}

export interface ApiSettings {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly esbToken: string | undefined
  readonly fetch: typeof globalThis.fetch
  readonly timeout: number
  readonly totalTimeout: number
  readonly retries: number
}

const headerText = /^[\x21-\x7e]+$/

/** Throws in an older runtime, which would read amounts as floating point. */
function refuseOldRuntime(): void {
  let source: string | undefined
  JSON.parse('1', (_key, _value, context?: { readonly source?: string }) => {
    source = context?.source
  })
  if (source === undefined) throw new TypeError('@comporta/sdk needs Node 22 or newer')
}

/** Throws a TypeError that names the option, without its secret value. */
export function settingsOf(options: ComportaOptions): ApiSettings {
  const { apiKey, baseUrl, esbToken, authScheme = 'Comporta' } = options
  const { timeout = 35_000, totalTimeout = 120_000, retries = 3 } = options
  refuseOldRuntime()
  if (!apiKey) throw new TypeError('apiKey is required: the gateway shows it when a key is created')
  refuseNoHeader({ apiKey, esbToken, authScheme })
  refuseNoNumber({ timeout, totalTimeout, retries })
  return {
    baseUrl: baseOf(baseUrl),
    headers: { authorization: `${authScheme} ${apiKey}` },
    esbToken,
    fetch: options.fetch ?? globalThis.fetch,
    timeout,
    totalTimeout,
    retries,
  }
}

/** Throws a TypeError that names the option. */
export function optionsOf(options: CallOptions): CallOptions {
  const { timeout, totalTimeout, retries, requestId } = options
  refuseNoHeader({ requestId })
  refuseNoNumber({ timeout, totalTimeout, retries })
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** Address without a final slash. Errors do not quote its user and password. */
function baseOf(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be the address of the gateway, such as https://pay.example')
  if (url.username || url.password)
    throw new TypeError('baseUrl must have no name and no password: the key goes in apiKey')
  if (/[?#]/.test(baseUrl))
    throw new TypeError('baseUrl must have no ? and no #: paths of the API are added to it')
  return url.href.replace(/\/+$/, '')
}

function refuseNoHeader(texts: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(texts))
    if (text !== undefined && !headerText.test(text))
      throw new TypeError(`${name} must be of visible ASCII characters, without spaces and line breaks`)
}

function refuseNoNumber(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, number] of Object.entries(numbers))
    if (number !== undefined && !(typeof number === 'number' && number >= 0))
      throw new TypeError(`${name} must be a number of at least 0, and is ${number}`)
}
