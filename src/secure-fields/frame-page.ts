// The frame's document and its headers.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { html } from 'ghtml'
import { type BuiltFile, builtFiles } from '../http/index.ts'
import type { Instant } from '../kernel/time.ts'
import { assetsPath, keysPath, sessionPath } from './paths.ts'

export type FrameLocale = 'pt' | 'en'

/** The settings of the frame's script. It must get nothing else. */
export interface FrameSettings {
  readonly merchant: string
  readonly session: string
  readonly now: Instant
  readonly locale: FrameLocale
  /** The pages that may talk to the frame, from `allowedOrigins`. */
  readonly origins: readonly string[]
  readonly keysPath: string
  readonly sessionPath: string
}

export function framePage(
  { merchant, session, now, locale, origins }: Omit<FrameSettings, 'keysPath' | 'sessionPath'>,
  { frameScript, frameStyle }: LibraryFiles,
): string {
  const settings: FrameSettings = {
    ...{ merchant, session, now, locale, origins, sessionPath },
    // The query names the cell of the merchant.
    keysPath: `${keysPath}?merchant=${merchant}`,
  }
  // The month comes from the gateway, because the customer's clock may be wrong.
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
    // Pages that are cross-origin isolated require these headers.
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cache-control': 'no-store',
  }
}

/** Drawings of the security code: on the back, or on the front (American Express). */
const codeOnBack = cardSketch(
  '<rect x="1" y="5" width="30" height="4" fill="currentColor"/><rect class="code-spot" x="19" y="12" width="9" height="6" rx="1.5"/>',
)
const codeOnFront = cardSketch(
  '<rect x="4" y="12" width="12" height="2" fill="currentColor"/><rect class="code-spot" x="19" y="6" width="9" height="6" rx="1.5"/>',
)

/** Only these brands have a mark. Others work too. */
const brandMarks = [
  brandMark('visa', '#1a3a8f', markText('VISA', 11, 'italic')),
  brandMark(
    'mastercard',
    '#26262b',
    '<circle cx="14.5" cy="12" r="6.5" fill="#e3412b"/><circle cx="21.5" cy="12" r="6.5" fill="#f5a623"/><path d="M18 6.5a6.5 6.5 0 0 1 0 11a6.5 6.5 0 0 1 0-11z" fill="#f0752a"/>',
  ),
  brandMark('amex', '#1f6fb8', markText('AMEX', 9.5, 'normal')),
]

function cardSketch(body: string): string {
  return html`<svg width="32" height="22" viewBox="0 0 32 22" fill="none" aria-hidden="true" focusable="false"><rect x="1" y="1" width="30" height="20" rx="3" stroke="currentColor" stroke-width="1.5"/>!${body}</svg>`
}

function brandMark(brand: string, background: string, body: string): string {
  return html`<svg class="brand" data-brand="${brand}" width="36" height="24" viewBox="0 0 36 24" aria-hidden="true" focusable="false"><rect width="36" height="24" rx="4" fill="${background}"/>!${body}</svg>`
}

function markText(text: string, size: number, style: 'italic' | 'normal'): string {
  return html`<text x="18" y="16" text-anchor="middle" font-family="Arial, Helvetica, sans-serif" font-weight="700" font-style="${style}" font-size="${size}" fill="#fff">${text}</text>`
}

export interface LibraryFiles {
  readonly library: BuiltFile & { readonly content: Buffer }
  readonly frameScript: BuiltFile
  readonly frameStyle: BuiltFile
}

export function loadLibraryFiles(manifestPath: string): LibraryFiles {
  const built = builtFiles(manifestPath)
  const library = built('secure-fields.js')
  return {
    library: { ...library, content: readFileSync(join(dirname(manifestPath), library.file)) },
    frameScript: built('secure-fields-frame.js'),
    frameStyle: built('secure-fields-frame.css'),
  }
}
