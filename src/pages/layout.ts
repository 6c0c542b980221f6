// The frame of every page: head, sandbox banner, footer.

import { builtFiles } from '../http/index.ts'
import type { SimulatedMoney } from '../rails/index.ts'
import { checkoutPath, html, ownPath } from './html.ts'
import { languageTag } from './i18n/format.ts'
import { texts } from './i18n/index.ts'
import { type Asset, type Assets, type Locale, locales, type PageFrame } from './model.ts'
import { icons } from './parts/icons.ts'
import { merchantLinks } from './parts/merchant.ts'

export interface PageParts {
  readonly title: string
  readonly main: string
  readonly refresh?: { readonly seconds: number; readonly url: string } | undefined
  readonly checkoutId?: string | undefined
  readonly pathIn?: ((locale: Locale) => string) | undefined
}

export function document(frame: PageFrame, parts: PageParts): string {
  const { locale, assets, simulated, brand } = frame
  const { icon, script, style } = assets
  return html`<!doctype html>
<html lang="${languageTag(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="same-origin">
<meta name="format-detection" content="telephone=no">
<title>${parts.title}</title>
<link rel="icon" type="image/svg+xml" href="${icon.url}">
<link rel="stylesheet" href="${style.url}" integrity="${style.integrity}">
!${brand?.styleSheet === undefined ? '' : html`<link rel="stylesheet" href="${ownPath(brand.styleSheet)}">`}
<script type="module" src="${script.url}" integrity="${script.integrity}"></script>
!${refreshWithoutScript(parts.refresh)}
</head>
<body!${embedding(frame)}>
!${simulated ? banner(simulated[locale]) : ''}
!${parts.main}
!${brand === undefined ? '' : merchantLinks(brand, locale)}
!${footer(locale, pathInOf(parts))}
</body>
</html>
`
}

/** The script talks to pages of these origins only. */
function embedding({ embedOrigins = [] }: PageFrame): string {
  return embedOrigins.length === 0 ? '' : html` data-embed-origins="${embedOrigins.join(' ')}"`
}

/** The reload is in noscript, because the script has one that the customer can stop. */
function refreshWithoutScript(refresh: PageParts['refresh']): string {
  if (refresh === undefined) return ''
  return html`<noscript><meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.url}"></noscript>`
}

function banner({ banner, cards }: SimulatedMoney[Locale]): string {
  return html`<header class="sandbox"><p>${banner} <a href="${ownPath(cards.path)}" target="_blank" rel="noopener">${cards.text}</a></p></header>`
}

function pathInOf({ checkoutId, pathIn }: PageParts): PageParts['pathIn'] {
  return checkoutId === undefined ? pathIn : (locale) => checkoutPath(checkoutId, locale)
}

function footer(locale: Locale, pathIn: PageParts['pathIn']): string {
  const { secureFooter, switchLanguage } = texts[locale]
  const switches =
    pathIn === undefined
      ? ''
      : html`<nav aria-label="${switchLanguage}">!${locales.filter((other) => other !== locale).map((other) => switchTo(other, pathIn(other)))}</nav>`

  function switchTo(other: Locale, path: string): string {
    const tag = languageTag(other)
    return html`<a href="${ownPath(path)}" lang="${tag}" hreflang="${tag}">${texts[other].languageName}</a>`
  }

  return html`<footer class="footer"><p>!${icons.lock} ${secureFooter} <strong>Comporta</strong></p>!${switches}</footer>`
}

export function loadAssets(manifestPath: string): Assets {
  const built = builtFiles(manifestPath)
  const asset = (name: string): Asset => ({ ...built(name), url: `/assets/${built(name).file}` })
  return { script: asset('checkout.js'), style: asset('checkout.css'), icon: asset('checkout.svg') }
}
