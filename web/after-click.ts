// Words that appear while somebody clicks would move what is being clicked from under the pointer, and the click be lost.

/** Longer than most people hold a button down. */
const clickMs = 500
let pointerIsDown = false

addEventListener('pointerdown', () => (pointerIsDown = true), { capture: true })
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => (pointerIsDown = false), { capture: true })

/**
 * Runs `change`, which follows from leaving a field, after the click that left it; at once where the keyboard moved on
 * to another element. A click outside of a frame is not seen in it: then `change` waits for as long as a click takes.
 *
 * @param left the `blur` or `focusout` of the field. Only its `relatedTarget` says whether the focus stays in this
 *   document: `document.hasFocus()` is still true in a frame that is just being left.
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
