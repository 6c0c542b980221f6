// How the frame and the merchant's page find each other: the browser says the origin of both, then they share a message port.
import { type CallMessage, type FrameMessage, type Greeting, greeting, hello } from '../messages.ts'
import { isAllowed } from './origins.ts'

export interface Connection {
  /** Origin of the merchant's page, as the browser gives it. */
  readonly origin: string
  readonly greeting: Greeting
  send(message: FrameMessage): void
  onCall(handle: (call: CallMessage) => void): void
}

/** Says hello to the page that holds the frame, and waits for its answer: the first one from an allowed origin. */
export function meetPage(origins: readonly string[]): Promise<Connection> {
  return new Promise((resolve) => {
    addEventListener('message', function listen({ source, origin, data, ports: [port] }: MessageEvent) {
      if (source !== parent || !isAllowed(origin, origins) || data?.type !== greeting || port === undefined)
        return
      removeEventListener('message', listen)
      resolve({
        origin,
        greeting: data,
        send: (message) => port.postMessage(message),
        onCall(handle) {
          port.onmessage = ({ data: call }) => handle(call)
        },
      })
    })
    // To whoever holds the frame: the policy of the document lets nobody do so but the merchant's pages.
    parent.postMessage(hello, '*')
  })
}
