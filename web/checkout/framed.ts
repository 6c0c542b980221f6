// The checkout in a frame of the shop's page.
import { type FrameMessage, type Greeting, greeting, hello } from '../embed/messages.ts'
import { find, findAll } from './dom.ts'

const origins = (document.body.dataset.embedOrigins ?? '').split(' ')

/** The policy of the page allows no other frames. */
export const isFramed = parent !== window && document.body.dataset.embedOrigins !== undefined

/** Starts the channel to the page around. Pages of banks and of the shop open in the whole window. */
export function talkToShop(forward: (leave: (url: string) => void) => void): void {
  document.documentElement.classList.add('framed')
  leaveByLinksAndForms()
  addEventListener('message', function listen({ source, origin, data, ports: [port] }: MessageEvent) {
    if (source !== parent || !origins.includes(origin) || data?.type !== greeting || port === undefined)
      return
    removeEventListener('message', listen)
    report(port, data, forward)
  })
  // The target `*` is safe, because the policy frame-ancestors allows only the merchant's pages.
  parent.postMessage(hello, '*')
}

function report(port: MessagePort, { forwards }: Greeting, forward: (leave: (url: string) => void) => void) {
  const send = (message: FrameMessage) => port.postMessage(message)
  const leave = (url: string) => send({ leave: url })
  if (find('[data-leaves-frame=at-once]', HTMLFormElement) !== undefined) return leave(location.href)
  send({ event: 'ready' })
  const outcome = find('[data-outcome]', HTMLElement)?.dataset.outcome
  if (outcome !== undefined) send({ event: outcome as 'completed' })
  else if (find('[data-waiting]', HTMLElement) !== undefined) send({ event: 'pending' })
  new ResizeObserver(() => {
    send({ height: Math.ceil(document.body.getBoundingClientRect().height) })
  }).observe(document.body)
  // In the capture phase, because the countdown on the result page ends with the same key.
  addEventListener('keydown', closeByEscape(send), { capture: true })
  if (forwards) forward(leave)
}

function closeByEscape(send: (message: FrameMessage) => void) {
  return ({ key, repeat, isComposing }: KeyboardEvent) => {
    const countsDown = find('[data-forward-line]:not([hidden])', HTMLElement) !== undefined
    if (key === 'Escape' && !repeat && !isComposing && !countsDown) send({ close: true })
  }
}

const ownPages = /^\/(?:checkout|l)\//

function leaveByLinksAndForms(): void {
  for (const link of findAll('a[href]', HTMLAnchorElement)) {
    const staysHere = link.origin === location.origin && ownPages.test(link.pathname)
    if (link.target === '' && /^https?:$/.test(link.protocol) && !staysHere) link.target = '_top'
  }
  for (const form of findAll('[data-leaves-frame]', HTMLFormElement)) form.target = '_top'
  for (const form of findAll('form[action*="/cancel?"]', HTMLFormElement)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name: 'framed', value: '1' })
    form.append(input)
  }
}
