// The checkout in a modal or in an element of the shop's page.
import { listen } from './connection.ts'
import type { FrameEvent, FrameMessage } from './messages.ts'
import { createModal } from './modal.ts'
import { localeOf, type Words, words } from './words.ts'

export interface EmbedOptions {
  /** `url_redirect` of a checkout, or `url` of a payment link. */
  readonly url: string
  /** Element for the page, or its selector. Default: a modal. */
  readonly element?: string | Element | undefined
  /** `pt` or `en`. Default: the language of the shop's page. */
  readonly locale?: string | undefined
  /** Whether the browser goes to `url_confirm` after the payment. Default: true. */
  readonly redirect?: boolean | undefined
  readonly onEvent?: ((event: EmbedEvent) => void) | undefined
}

export interface EmbedEvent {
  /** `leaving`: the whole window goes to a bank, a provider or the shop. `closed`: the page is no longer shown. */
  readonly type: FrameEvent | 'resize' | 'leaving' | 'closed'
  readonly height?: number
}

export interface EmbeddedCheckout {
  /** Removes the page. The checkout stays open until it expires. */
  close(): void
}

/** The page answers within this time after it has loaded. A page that may not be framed never does. */
const helloMs = 3000

let opened: EmbeddedCheckout | undefined

/** Opens the page. Throws if the address is not one of the gateway, or if there is no such element. */
export function openCheckout(options: EmbedOptions, gateway: string): EmbeddedCheckout {
  const url = addressOf(options, gateway)
  const spoken = words[localeOf(url.searchParams.get('lang'))]
  opened?.close()
  const embedded = show(options, url, spoken)
  opened = embedded
  return embedded
}

function addressOf({ url: text, locale }: EmbedOptions, gateway: string): URL {
  const url = new URL(text, location.href)
  if (url.origin !== gateway) throw new TypeError(`url must be an address of ${gateway}`)
  if (!url.searchParams.has('lang')) url.searchParams.set('lang', localeOf(locale ?? pageLanguage()))
  return url
}

function pageLanguage(): string {
  return document.documentElement.lang || navigator.language
}

function show(options: EmbedOptions, url: URL, spoken: Words): EmbeddedCheckout {
  const { redirect = true, onEvent } = options
  const frame = frameFor(url, spoken)
  const place = options.element === undefined ? createModal(frame, spoken, close) : inElement(options.element)
  let isOpen = true
  let isReady = false
  let state: FrameEvent | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  /** A page greets before its pictures and frames have loaded, or after: then a timer runs. */
  let hasGreeted = false

  const emit = (event: EmbedEvent) => onEvent?.(event)

  function close(): void {
    if (!isOpen) return
    remove()
    emit({ type: 'closed' })
  }

  function remove(): void {
    isOpen = false
    clearTimeout(timer)
    stop()
    place.remove()
  }

  function leave(address: string): void {
    const target = new URL(address)
    if (!isOpen || !/^https?:$/.test(target.protocol)) return
    // Without the frame, the button Back shows the shop and not the bank again.
    remove()
    if (!place.closes) reloadAfterBack()
    emit({ type: 'leaving' })
    location.assign(target)
  }

  function hear(message: FrameMessage): void {
    if ('leave' in message) leave(message.leave)
    else if ('close' in message) place.closes && close()
    else if ('height' in message) {
      const height = Math.ceil(Number(message.height))
      place.resize(height)
      emit({ type: 'resize', height })
    } else report(message.event)
  }

  /** Each page in the frame says that it is ready, and reports its state again. */
  function report(type: FrameEvent): void {
    if (type === 'ready' ? isReady : type === state) return
    if (type === 'ready') isReady = true
    else state = type
    emit({ type })
  }

  function inElement(wanted: string | Element) {
    const element = typeof wanted === 'string' ? document.querySelector(wanted) : wanted
    if (element === null) throw new Error(`there is no element ${wanted}`)
    element.append(frame)
    return {
      closes: false,
      loaded: () => undefined,
      resize: (height: number) => Object.assign(frame.style, { height: `${height}px` }),
      remove: () => frame.remove(),
    }
  }

  const stop = listen(
    frame,
    url.origin,
    { forwards: redirect },
    {
      onHello() {
        hasGreeted = timer === undefined
        clearTimeout(timer)
        timer = undefined
        frame.style.visibility = 'visible'
        place.loaded()
      },
      onMessage: hear,
    },
  )
  // The link works in any case: a page that the browser refuses to frame opens in the window.
  frame.addEventListener('load', () => {
    clearTimeout(timer)
    timer = hasGreeted ? undefined : setTimeout(() => leave(url.href), helloMs)
    hasGreeted = false
  })
  return { close }
}

/** The browser may keep the shop's page as it was left, without the frame. */
function reloadAfterBack(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

function frameFor(url: URL, { title }: Words): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.src = url.href
  frame.title = title
  // The page has a button that copies a reference.
  frame.allow = 'clipboard-write'
  frame.style.cssText =
    'display:block;box-sizing:border-box;width:100%;min-width:0;max-width:none;height:32rem;margin:0;padding:0;border:0;visibility:hidden'
  return frame
}
