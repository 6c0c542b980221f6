// Delays a change of the page while a button of the mouse is pressed.
let isDown = false
addEventListener('pointerdown', () => (isDown = true), true)
addEventListener('pointerup', () => (isDown = false), true)
addEventListener('pointercancel', () => (isDown = false), true)

/** A new message below a field moves the button below it, so the message must wait until the click is over. */
export function afterPointer(done: () => void): void {
  if (!isDown) return done()
  addEventListener('pointerup', () => setTimeout(done), { once: true })
}
