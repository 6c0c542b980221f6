// Common parts of page requests: language, form, browser, headers.
import { isIP } from 'node:net'
import type { AppReply, AppRequest } from '../http/index.ts'
import { maskCardNumbers } from '../kernel/values/card-numbers.ts'
import type { CustomerBrowser } from '../rails/index.ts'
import { contentSecurityPolicy, type PolicyOptions } from './frame/csp.ts'
import { pickLocale } from './i18n/locale.ts'
import type { Locale } from './model.ts'

export const pageRoute = { config: { auth: 'none', page: true }, schema: { hide: true } } as const

export function localeOf(
  request: AppRequest,
  { preferred, fallback }: { preferred?: Locale | undefined; fallback?: Locale | null } = {},
): Locale {
  // An undecodable address has no query.
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
    // A proxy may forward arbitrary text.
    ip: isIP(request.ip) === 0 ? undefined : request.ip,
    language: (form.language?.trim() || locale).slice(0, 8),
    javascript: form.js_enabled === 'true',
    colorDepth: number('color_depth', 1, 99),
    screenWidth: number('screen_width', 0, 999_999),
    screenHeight: number('screen_height', 0, 999_999),
    timezoneOffset: number('tz_offset', -9999, 9999),
  }
}

/** These headers are stored and sent to the issuer: they must not hold a card number. */
function headerOf({ headers }: AppRequest, name: 'accept' | 'user-agent'): string {
  return maskCardNumbers(String(headers[name] ?? '')).slice(0, 2048)
}
