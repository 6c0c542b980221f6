// Common parts of page requests: language, form, browser, headers.
import { isIP } from 'node:net'
import type { AppReply, AppRequest } from '../http/index.ts'
import { maskCardNumbers } from '../kernel/values/card-numbers.ts'
import type { CustomerBrowser } from '../rails/index.ts'
import { pickLocale } from './i18n/index.ts'
import type { Locale } from './model.ts'

export const pageRoute = { config: { auth: 'none', page: true }, schema: { hide: true } } as const

export function localeOf(
  request: AppRequest,
  { preferred, fallback }: { preferred?: Locale | undefined; fallback?: Locale | null } = {},
): Locale {
  // If the address cannot be decoded, there is no query.
  const { lang, locale } = (request.query ?? {}) as Record<string, unknown>
  return pickLocale({
    lang: typeof lang === 'string' ? lang : undefined,
    locale: typeof locale === 'string' ? locale : undefined,
    acceptLanguage: request.headers['accept-language'],
    preferred,
    fallback: fallback ?? undefined,
  })
}

export function sendPage(reply: AppReply, html: string, policy: PolicyOptions = {}): AppReply {
  // `frame-ancestors` replaces this header, because it can name several origins.
  if (isEmbeddable(policy)) reply.removeHeader('x-frame-options')
  return reply.headers(pageHeaders(policy)).send(html)
}

export function pageHeaders(policy: PolicyOptions = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(policy),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
}

export function formOf(request: AppRequest): Readonly<Record<string, string | undefined>> {
  const body = request.body
  if (typeof body !== 'object' || body === null) return {}
  const texts = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(texts)
}

export function browserOf(request: AppRequest, locale: Locale): CustomerBrowser {
  const form = formOf(request)
  const number = (name: string, min: number, max: number) => {
    const value = Number(form[name] ?? Number.NaN)
    return Number.isInteger(value) && value >= min && value <= max ? value : undefined
  }
  return {
    acceptHeader: headerOf(request, 'accept'),
    userAgent: headerOf(request, 'user-agent'),
    // A proxy may forward any text in place of an address.
    ip: isIP(request.ip) === 0 ? undefined : request.ip,
    language: (form.language?.trim() || locale).slice(0, 8),
    javascript: form.js_enabled === 'true',
    colorDepth: number('color_depth', 1, 99),
    screenWidth: number('screen_width', 0, 999_999),
    screenHeight: number('screen_height', 0, 999_999),
    timezoneOffset: number('tz_offset', -9999, 9999),
  }
}

/** These headers are stored and sent to the issuer, so they must not contain a card number. */
function headerOf({ headers }: AppRequest, name: 'accept' | 'user-agent'): string {
  return maskCardNumbers(String(headers[name] ?? '')).slice(0, 2048)
}

export interface PolicyOptions {
  /** Hosts that a form reaches, also by redirects, which browsers check: url_cancel, url_confirm, acsURL. */
  readonly formTargets?: readonly string[] | undefined
  /** Allows all targets, which only issuer and merchant know. For pages without inputs. */
  readonly leadsAway?: boolean | undefined
  readonly frameTargets?: readonly string[] | undefined
  /** The script of the acquirer's card form. Its origin and frames of banks are allowed. */
  readonly cardFormScript?: string | undefined
  readonly framedByUs?: boolean | undefined
  /** Origins of the merchant whose pages may show this page in a frame. */
  readonly embedOrigins?: readonly string[] | undefined
}

function isEmbeddable({ embedOrigins = [] }: PolicyOptions): boolean {
  return embedOrigins.length > 0
}

function ancestorsOf({ framedByUs, embedOrigins = [] }: PolicyOptions): string {
  const ancestors = [...(framedByUs === true ? ["'self'"] : []), ...originsOf(embedOrigins)]
  return `frame-ancestors ${ancestors.join(' ') || "'none'"}`
}

export function contentSecurityPolicy(options: PolicyOptions = {}): string {
  if (options.cardFormScript !== undefined) {
    return cardFormPolicy(originsOf([options.cardFormScript]), ancestorsOf(options))
  }
  const frames = originsOf(options.frameTargets)
  const forms = ["form-action 'self'", ...originsOf(options.formTargets).flatMap(sameShop)].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(options.leadsAway === true ? [] : [forms]),
    // In the frame, the issuer's page returns to our notification address.
    frames.length === 0 ? "frame-src 'none'" : ["frame-src 'self'", ...frames].join(' '),
    ancestorsOf(options),
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** The acquirer's script needs inline styles, and frames of banks that we cannot know. */
function cardFormPolicy(acquirer: readonly string[], ancestors: string): string {
  const ours = ["'self'", ...acquirer].join(' ')
  return [
    "default-src 'none'",
    `script-src ${ours}`,
    `style-src ${ours} 'unsafe-inline'`,
    `img-src ${ours} data:`,
    `font-src ${ours}`,
    `connect-src ${ours}`,
    'frame-src https:',
    ancestors,
    "base-uri 'none'",
  ].join('; ')
}

function originsOf(urls: readonly string[] = []): string[] {
  const origins = new Set<string>()
  for (const url of urls) {
    const parsed = URL.parse(url)
    if (parsed === null || !hostPattern.test(parsed.hostname)) continue
    if (parsed.protocol === 'https:' || parsed.protocol === 'http:') origins.add(parsed.origin)
  }
  return [...origins]
}

/** Excludes hosts that would end a directive or allow every host. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Shops redirect between `www.` and the name without it. `http` includes `https`. */
function sameShop(origin: string): string[] {
  const { protocol, host, hostname } = new URL(origin)
  if (!/[a-z]$/.test(hostname)) return [origin]
  const other = host.startsWith('www.') ? host.slice('www.'.length) : `www.${host}`
  return [origin, `${protocol}//${other}`]
}
