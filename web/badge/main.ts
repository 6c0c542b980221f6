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
  script.after(drawBadge(script.dataset as BadgeOptions))
}
