// SMTP_URL and MAIL_FROM.
import { ok, type Result } from '../kernel/result.ts'
import type { From } from './model.ts'
import { oneLine, readAddress } from './rules.ts'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** True: TLS from the first byte. False: STARTTLS, if the server has it. */
  readonly secure: boolean
  readonly user?: string | undefined
  readonly password?: string | undefined
}

export interface MailSettings {
  readonly server: SmtpServer
  readonly from: From
}

const portOf = { 'smtp:': 587, 'smtps:': 465 } as const

function isScheme(protocol: string | undefined): protocol is keyof typeof portOf {
  return protocol !== undefined && protocol in portOf
}

export function readSmtpUrl(text: string): Result<SmtpServer, string> {
  const wrong = {
    ok: false,
    refusal:
      'SMTP_URL must be smtp:// or smtps:// with a host, such as smtps://user:password@smtp.example.com:465, and special characters of the password percent-encoded',
  } as const
  const url = URL.parse(text)
  if (url === null || !isScheme(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '')
    return wrong
  if (url.pathname !== '' && url.pathname !== '/') return wrong
  try {
    return ok({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? portOf[url.protocol] : Number(url.port),
      secure: url.protocol === 'smtps:',
      user: url.username === '' ? undefined : decodeURIComponent(url.username),
      password: url.password === '' ? undefined : decodeURIComponent(url.password),
    })
  } catch {
    return wrong
  }
}

/** Reads `pay@example.com` or `Payments <pay@example.com>`. */
export function readFrom(text: string): Result<From, string> {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const read = readAddress(address)
  if (read === undefined)
    return {
      ok: false,
      refusal: `MAIL_FROM must be an address such as pay@example.com or Payments <pay@example.com>, not "${text}"`,
    }
  const shown = oneLine(name.replaceAll('"', ''))
  return ok({ address: read, ...(shown !== '' && { name: shown }) })
}
