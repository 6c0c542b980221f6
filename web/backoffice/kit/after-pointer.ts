// Delay of changes while a button is pressed.
let isDown = false
addEventListener('pointerdown', () => (isDown = true), true)
addEventListener('pointerup', () => (isDown = false), true)
addEventListener('pointercancel', () => (isDown = false), true)

/** A message below a field moves the button, so it waits for the click. */
export function afterPointer(done: () => void): void {
  if (!isDown) return done()
  addEventListener('pointerup', () => setTimeout(done), { once: true })
}
