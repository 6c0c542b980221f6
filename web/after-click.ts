// Words that appear while somebody clicks would move what is being clicked from under the pointer, and the click be lost.

let pointerIsDown = false

addEventListener('pointerdown', () => (pointerIsDown = true), { capture: true })
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => (pointerIsDown = false), { capture: true })

/**
 * Runs `change`, which moves what is on the page, after the click that is being made; at once where there is none. A
 * click outside of a frame is not seen in it, and is moved only by the frame's height, which the page around it sets.
 */
export function afterClick(change: () => void): void {
  if (!pointerIsDown) return change()
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    setTimeout(change)
  }
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, end, { signal: ended.signal })
}
