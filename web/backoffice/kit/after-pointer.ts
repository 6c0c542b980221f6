// A mistake that is shown when a field is left moves what is below it: not while a button there is being pressed.
let isDown = false
addEventListener('pointerdown', () => (isDown = true), true)
addEventListener('pointerup', () => (isDown = false), true)
addEventListener('pointercancel', () => (isDown = false), true)

/** Does it at once; where a pointer is down, after the click that it becomes. */
export function afterPointer(done: () => void): void {
  if (!isDown) return done()
  addEventListener('pointerup', () => setTimeout(done), { once: true })
}
