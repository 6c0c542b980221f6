// Badge script of the merchant's page.
import { type BadgeOptions, drawBadge } from './badge.ts'

const marker = 'data-wallet-badge'
const drawnMarker = 'data-wallet-badge-drawn'

// A module has no `currentScript`, so it draws all badges that are not drawn yet.
const own = document.currentScript
const scripts = own === null ? document.querySelectorAll(`script[${marker}]`) : [own]

for (const script of scripts) {
  const asksForBadge = script instanceof HTMLElement && script.hasAttribute(marker)
  if (!asksForBadge || script.hasAttribute(drawnMarker)) continue
  script.setAttribute(drawnMarker, '')
  script.after(drawBadge(script.dataset as BadgeOptions))
}
