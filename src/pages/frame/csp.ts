// The Content-Security-Policy of the hosted pages: nothing but our own files, and only the targets a page names.

export interface PolicyOptions {
  /**
   * Absolute URLs that a form of the page posts to, or is redirected to afterwards: browsers check
   * `form-action` along the whole redirect, so url_cancel, url_confirm and acsURL belong here.
   */
  readonly formTargets?: readonly string[] | undefined
  /**
   * The page's form ends at addresses that only issuer and merchant know. Only for pages
   * on which nothing is typed.
   */
  readonly leadsAway?: boolean | undefined
  /** Absolute URLs loaded into a frame of the page (3DS method). */
  readonly frameTargets?: readonly string[] | undefined
  /** Absolute URL of the acquirer's script that draws its card form on the page: only its origin, and frames of banks. */
  readonly cardFormScript?: string | undefined
  /** Whether pages of ours may hold this one in a frame (the end of the 3DS method). */
  readonly framedByUs?: boolean | undefined
}

/** The header's value for one page. Targets that are no absolute http(s) URL are left out. */
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
    // After the issuer's page the frame comes back to our own notification address.
    frames.length === 0 ? "frame-src 'none'" : ["frame-src 'self'", ...frames].join(' '),
    `frame-ancestors ${options.framedByUs === true ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/**
 * The page of an acquirer's card form. Its script draws by means of its own, which no policy of
 * ours can name: styles, and frames of the customer's bank.
 */
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

/** URLs may have hosts that would end a directive, or mean all hosts. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** A shop's address may lead on to its other one, with `www.` or without; `http` allows `https` too. */
function sameShop(origin: string): string[] {
  const { protocol, host, hostname } = new URL(origin)
  if (!/[a-z]$/.test(hostname)) return [origin]
  const other = host.startsWith('www.') ? host.slice('www.'.length) : `www.${host}`
  return [origin, `${protocol}//${other}`]
}
