// The badge script: for each of its script elements a DIV that says what can be paid with.
import { type BadgeOptions, drawBadge } from './badge.ts'

const marker = 'data-wallet-badge'
const drawnMarker = 'data-wallet-badge-drawn'

// A module has no `currentScript`; then every badge that is not drawn yet is ours.
const own = document.currentScript
const scripts = own === null ? document.querySelectorAll(`script[${marker}]`) : [own]

for (const script of scripts) {
  const asksForBadge = script instanceof HTMLElement && script.hasAttribute(marker)
  if (!asksForBadge || script.hasAttribute(drawnMarker)) continue
  script.setAttribute(drawnMarker, '')
  const badge = drawBadge(script.dataset as BadgeOptions)
  // Nothing shows in the head: its badge comes first in the body, or last if the body is not there yet.
  if (script.closest('head') === null) script.after(badge)
  else if (document.body !== null) document.body.prepend(badge)
  else addEventListener('DOMContentLoaded', () => document.body.append(badge))
}
