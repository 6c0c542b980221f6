// The modal: a native dialog, which keeps the focus inside and gives it back.
import type { Words } from './words.ts'

export interface Modal {
  /** Whether Escape in the frame closes it. */
  readonly closes: true
  loaded(): void
  resize(height: number): void
  remove(): void
}

/** Narrower windows show the page on the whole screen. */
const narrow = '600px'
const ifWide = (size: string) => `max(0px, min(${size}, (100vw - ${narrow}) * 9999))`

/** A shadow root keeps styles of the shop out. Properties, because a strict policy forbids style elements. */
export function createModal(frame: HTMLIFrameElement, words: Words, close: () => void): Modal {
  const dialog = made('dialog', {
    ...{ position: 'fixed', inset: '0', boxSizing: 'border-box', border: '0', margin: '0', padding: '0' },
    ...{ width: '100%', height: '100%', maxWidth: 'none', maxHeight: 'none' },
    ...{ background: 'rgb(10 20 24 / 60%)', overflow: 'hidden', colorScheme: 'light dark' },
  })
  const panel = made('div', {
    ...{ position: 'absolute', inset: '0', margin: 'auto', display: 'flex', flexDirection: 'column' },
    width: 'min(100%, 560px)',
    // A narrow window makes the last part larger than any screen.
    height: `min(100%, max(800px, (${narrow} - 100vw) * 9999))`,
    ...{ borderRadius: ifWide('12px'), overflow: 'hidden', background: 'Canvas', color: 'CanvasText' },
  })
  const bar = made('div', {
    ...{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', flex: 'none' },
    ...{ padding: '0 4px 0 16px', font: '600 16px/44px system-ui, sans-serif' },
  })
  const title = made('span', {})
  title.id = 'title'
  title.textContent = words.title
  const button = made('button', {
    ...{ width: '44px', height: '44px', border: '0', background: 'transparent', color: 'inherit' },
    ...{ font: '24px/1 system-ui, sans-serif', cursor: 'pointer' },
  })
  button.type = 'button'
  button.setAttribute('aria-label', words.close)
  button.textContent = '×'
  const status = made('p', { margin: '0', padding: '24px 16px', font: '16px/24px system-ui, sans-serif' })
  status.setAttribute('role', 'status')
  status.textContent = words.loading
  const body = made('div', { position: 'relative', flex: '1', minHeight: '0' })
  Object.assign(frame.style, { position: 'absolute', inset: '0', height: '100%' })

  bar.append(title, button)
  body.append(status, frame)
  panel.append(bar, body)
  dialog.append(panel)
  dialog.lang = words.lang
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.setAttribute('aria-modal', 'true')
  const host = made('div', { all: 'initial' })
  host.className = 'comporta-checkout'
  host.attachShadow({ mode: 'open' }).append(dialog)
  document.body.append(host)

  const { style } = document.documentElement
  const { overflow } = style
  style.overflow = 'hidden'
  button.addEventListener('click', close)
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  dialog.showModal()

  return {
    closes: true,
    loaded: () => status.remove(),
    // The panel has its own size, and the page scrolls in it.
    resize: () => undefined,
    remove() {
      style.overflow = overflow
      dialog.close()
      host.remove()
    },
  }
}

function made<Name extends 'dialog' | 'div' | 'span' | 'button' | 'p'>(
  name: Name,
  style: Partial<CSSStyleDeclaration>,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  Object.assign(element.style, style)
  return element
}
