// Handshake between the frame and the merchant's page.
import { type CallMessage, type FrameMessage, type Greeting, greeting, hello } from '../messages.ts'
import { isAllowed } from './origins.ts'

export interface Connection {
  /** Origin of the merchant's page, as the browser reports it. */
  readonly origin: string
  readonly greeting: Greeting
  send(message: FrameMessage): void
  onCall(handle: (call: CallMessage) => void): void
}

/** Sends hello to the page around the frame. Accepts the first answer from an allowed origin. */
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
    // The target `*` is safe, because the policy frame-ancestors allows only the merchant's pages.
    parent.postMessage(hello, '*')
  })
}
