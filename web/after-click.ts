// Words that appear while somebody clicks would move what is being clicked from under the pointer, and the click be lost.

/** Longer than most people hold a button down. */
const clickMs = 250
let pointerIsDown = false

addEventListener('pointerdown', () => (pointerIsDown = true), { capture: true })
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => (pointerIsDown = false), { capture: true })

/**
 * Runs `change`, which follows from leaving a field, after the click that left it; at once where the keyboard did. A
 * click outside of a frame is not seen in it: then it waits for as long as one takes.
 */
export function afterClick(change: () => void): void {
  if (!pointerIsDown) {
    if (document.hasFocus()) change()
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
