// What a client and a call may be set to. What can be no header, address or time is refused before anything is sent.

export interface ComportaOptions {
  /** `cmp_test_…` or `cmp_live_…`. */
  readonly apiKey: string
  /** Address of the gateway, such as `https://pay.example`. */
  readonly baseUrl: string
  /** For `cards`, the card API. */
  readonly esbToken?: string | undefined
  /** The word before the API key; `Comporta` by default. */
  readonly authScheme?: string | undefined
  /** Milliseconds that one attempt may take; 35 000 by default, as the gateway takes at most 30 s. */
  readonly timeout?: number | undefined
  /** Milliseconds that a call may take with all its attempts; 120 000 by default. */
  readonly totalTimeout?: number | undefined
  /** How often a call is sent again where that is safe; 3 by default. */
  readonly retries?: number | undefined
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface CallOptions {
  /** Milliseconds that one attempt may take. */
  readonly timeout?: number
  /** Milliseconds that the call may take with all its attempts. */
  readonly totalTimeout?: number
  /** How often it is sent again where that is safe. */
  readonly retries?: number
  /** Ends the call: it rejects with the reason of the signal. What became of it says the `requestId` that you gave. */
  readonly signal?: AbortSignal
  /** A UUID under which the gateway does it once; else the SDK makes one for each call that makes something. */
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

/** What a header carries unchanged. */
const headerText = /^[\x21-\x7e]+$/

/** Older runtimes read amounts as floating point; that would be noticed only after a call was made. */
function refuseOldRuntime(): void {
  let source: string | undefined
  JSON.parse('1', (_key, _value, context?: { readonly source?: string }) => {
    source = context?.source
  })
  if (source === undefined) throw new TypeError('@comporta/sdk needs Node 22 or newer')
}

/** The settings of a client with these options. Throws a TypeError that names the option and quotes no secret. */
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

/** The options of a call that say something. Throws a TypeError that names the option. */
export function optionsOf(options: CallOptions): CallOptions {
  const { timeout, totalTimeout, retries, requestId } = options
  refuseNoHeader({ requestId })
  refuseNoNumber({ timeout, totalTimeout, retries })
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** The address without a slash at its end. Its name and password are not said: they may be secret. */
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
