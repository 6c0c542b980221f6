// Delays a change of the page until a click is over.

/** Longer than most clicks take. */
const clickMs = 500
let pointerIsDown = false

addEventListener('pointerdown', () => (pointerIsDown = true), { capture: true })
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => (pointerIsDown = false), { capture: true })

/**
 * Runs `change` after the click that left the field. If the button moved during a click, that click would be lost.
 * Without a click it runs at once.
 * @param left the `blur` or `focusout` event. Its `relatedTarget` shows whether the focus stays in this document.
 */
export function afterClick({ relatedTarget }: FocusEvent, change: () => void): void {
  if (!pointerIsDown) {
    if (relatedTarget !== null) change()
    else setTimeout(change, clickMs)
    return
  }
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    setTimeout(change)
  }
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, end, { signal: ended.signal })
}
