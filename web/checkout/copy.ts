// Copy buttons.
import { find } from './dom.ts'

const toldMs = 2000

export function copyOnClick(button: HTMLButtonElement): void {
  const line = find('[data-copied-text]', HTMLElement, button)
  const status = find('[data-copied-status]', HTMLElement)
  const { copy = '', copied = '' } = button.dataset
  const usual = line?.textContent ?? ''
  let timer: ReturnType<typeof setTimeout> | undefined

  button.addEventListener('click', async () => {
    if (!(await toClipboard(copy))) return
    if (line !== undefined) line.textContent = copied
    if (status !== undefined) status.textContent = `${copied}: ${copy}`
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (line !== undefined) line.textContent = usual
      if (status !== undefined) status.textContent = ''
    }, toldMs)
  })
}

/** A page over http has no clipboard API, so this has a second way to copy. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}
