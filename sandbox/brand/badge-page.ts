// The page of the badge.
import { html } from 'ghtml'
import { badgePath } from '../../src/brand/index.ts'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { brandPageWords } from './messages.ts'
import { brandHead, sampleOf, samplesOf } from './parts.ts'

export const badgePagePath = '/sandbox/badge'

const styles = ['regular', 'light', 'dark'] as const
const cultures = ['pt', 'en'] as const
const methodLists = ['CC', 'MB', 'WALLET', 'CC,MB', 'CC,WALLET', 'MB,WALLET', 'CC,MB,WALLET'] as const

export function badgePage(language: Language, baseUrl: string): string {
  const words = brandPageWords[language]
  const sample = (style: string, culture: string, methods: string, caption: string) => {
    const script = scriptOf('', style, culture, methods)
    const snippet = scriptOf(baseUrl, style, culture, methods)
    return sampleOf({ caption, onLight: script, onDark: script, snippet }, words)
  }
  const byStyle = styles.map((style) =>
    samplesOf(
      words.badge.styleNamed(style),
      cultures.map((culture) => sample(style, culture, '', `${style}, ${culture}`)),
    ),
  )
  const byMethods = methodLists.map((methods) => sample('regular', language, methods, methods))
  return toolPage({
    title: words.badge.title,
    path: badgePagePath,
    lang: language,
    head: brandHead,
    body: html`
      <p class="lead">${words.badge.lead}</p>
      <noscript><p class="note">${words.badge.needsScript}</p></noscript>
      !${byStyle}
      !${samplesOf(words.badge.methods, byMethods, words.badge.methodsHelp)}`,
  })
}

function scriptOf(baseUrl: string, style: string, culture: string, methods: string): string {
  const some = methods === '' ? '' : html` data-methods="${methods}"`
  return html`<script src="${baseUrl}${badgePath}" data-wallet-badge data-style="${style}"!${some} data-culture="${culture}"></script>`
}
