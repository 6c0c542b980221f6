// The Content-Security-Policy of hosted pages.

export interface PolicyOptions {
  /** Browsers check `form-action` for the whole redirect chain: url_cancel, url_confirm and acsURL belong here. */
  readonly formTargets?: readonly string[] | undefined
  /** The form's targets are known only to issuer and merchant. Only for pages without inputs. */
  readonly leadsAway?: boolean | undefined
  readonly frameTargets?: readonly string[] | undefined
  /** The acquirer's card form script: allows its origin and bank frames. */
  readonly cardFormScript?: string | undefined
  readonly framedByUs?: boolean | undefined
}

export function contentSecurityPolicy(options: PolicyOptions = {}): string {
  if (options.cardFormScript !== undefined) return cardFormPolicy(originsOf([options.cardFormScript]))
  const frames = originsOf(options.frameTargets)
  const forms = ["form-action 'self'", ...originsOf(options.formTargets).flatMap(sameShop)].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(options.leadsAway === true ? [] : [forms]),
    // The issuer's frame returns to our notification address.
    frames.length === 0 ? "frame-src 'none'" : ["frame-src 'self'", ...frames].join(' '),
    `frame-ancestors ${options.framedByUs === true ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** The acquirer's script needs inline styles and frames of unknown banks. */
function cardFormPolicy(acquirer: readonly string[]): string {
  const ours = ["'self'", ...acquirer].join(' ')
  return [
    "default-src 'none'",
    `script-src ${ours}`,
    `style-src ${ours} 'unsafe-inline'`,
    `img-src ${ours} data:`,
    `font-src ${ours}`,
    `connect-src ${ours}`,
    'frame-src https:',
    "frame-ancestors 'none'",
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

/** Excludes hosts that would end a directive or match all hosts. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Shops redirect between `www.` and the bare name; `http` includes `https`. */
function sameShop(origin: string): string[] {
  const { protocol, host, hostname } = new URL(origin)
  if (!/[a-z]$/.test(hostname)) return [origin]
  const other = host.startsWith('www.') ? host.slice('www.'.length) : `www.${host}`
  return [origin, `${protocol}//${other}`]
}
