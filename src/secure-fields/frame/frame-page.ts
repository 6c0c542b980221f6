// The frame's document and its headers.
import { html } from 'ghtml'
import type { Instant } from '../../kernel/time.ts'
import type { BuiltFile, LibraryFiles } from './library-files.ts'
import { brandMarks, codeOnBack, codeOnFront } from './marks.ts'
import { assetsPath, keysPath, sessionPath } from './paths.ts'

export type FrameLocale = 'pt' | 'en'

/** Settings of the frame's script. Nothing else may reach it. */
export interface FrameSettings {
  readonly merchant: string
  readonly session: string
  readonly now: Instant
  readonly locale: FrameLocale
  /** Pages that may talk to the frame, from `allowedOrigins`. */
  readonly origins: readonly string[]
  readonly keysPath: string
  readonly sessionPath: string
}

export function framePage(
  { merchant, session, now, locale, origins }: Omit<FrameSettings, 'keysPath' | 'sessionPath'>,
  { frameScript, frameStyle }: LibraryFiles,
): string {
  const settings: FrameSettings = { merchant, session, now, locale, origins, keysPath, sessionPath }
  // The gateway's month, because the customer's clock may be wrong.
  const month = new Date(now).toISOString().slice(0, 7)
  return html`<!doctype html>
<html lang="${locale === 'pt' ? 'pt-PT' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>Comporta</title>
<link rel="stylesheet" href="${urlOf(frameStyle)}" integrity="${frameStyle.integrity}">
<script type="module" src="${urlOf(frameScript)}" integrity="${frameScript.integrity}"></script>
</head>
<body data-settings="${JSON.stringify(settings)}">
<form hidden>
!${field({ name: 'number', autocomplete: 'cc-number', numeric: true, lengthMax: 40, more: html`<span class="brands" data-brands>!${brandMarks}</span>` })}
!${field({ name: 'expiry', autocomplete: 'cc-exp', numeric: true, lengthMax: 9, attributes: html`data-month="${month}"` })}
!${field({ name: 'vcode', autocomplete: 'cc-csc', numeric: true, lengthMax: 4, more: html`<span class="code-place"><span class="on-back">!${codeOnBack}</span><span class="on-front">!${codeOnFront}</span></span>` })}
!${field({ name: 'name', autocomplete: 'cc-name', numeric: false, lengthMax: 100 })}
<button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true"></button>
</form>
<p class="visually-hidden" role="status" data-status></p>
</body>
</html>
`
}

interface FrameField {
  readonly name: string
  readonly autocomplete: string
  readonly numeric: boolean
  readonly lengthMax: number
  readonly attributes?: string
  readonly more?: string
}

function field({ name, autocomplete, numeric, lengthMax, attributes = '', more = '' }: FrameField): string {
  const hint = name === 'vcode' ? html`<p class="hint" id="vcode-hint" data-hint></p>` : ''
  const described = name === 'vcode' ? 'vcode-hint vcode-error' : `${name}-error`
  return html`<div class="field" data-field="${name}">
<label for="${name}"></label>
<div class="control">
<input type="text" id="${name}" name="${name}" autocomplete="${autocomplete}" maxlength="${lengthMax}" aria-describedby="${described}" required autocapitalize="off" spellcheck="false" !${numeric ? 'inputmode="numeric"' : ''} !${attributes}>
!${more}
</div>
<p class="field-error" id="${name}-error" data-error hidden></p>
!${hint}
</div>`
}

function urlOf({ file }: BuiltFile): string {
  return `${assetsPath}/${file}`
}

export function frameHeaders(origins: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      `frame-ancestors ${origins.join(' ')}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), publickey-credentials-get=(), usb=()',
    // Required by cross-origin isolated pages.
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cache-control': 'no-store',
  }
}
