// The channel to the checkout in the frame.
import { type FrameMessage, type Greeting, greeting, hello } from './messages.ts'

interface Handlers {
  onHello(): void
  onMessage(message: FrameMessage): void
}

/** Answers each hello of the frame's page with a port: the page changes with each form. Returns a function that stops. */
export function listen(
  frame: HTMLIFrameElement,
  gateway: string,
  { forwards }: Pick<Greeting, 'forwards'>,
  { onHello, onMessage }: Handlers,
): () => void {
  let port: MessagePort | undefined

  function greet({ source, origin, data }: MessageEvent): void {
    if (source !== frame.contentWindow || origin !== gateway || data !== hello) return
    const channel = new MessageChannel()
    port?.close()
    port = channel.port1
    port.onmessage = ({ data: message }) => onMessage(message)
    const answer: Greeting = { type: greeting, forwards }
    frame.contentWindow?.postMessage(answer, gateway, [channel.port2])
    onHello()
  }

  addEventListener('message', greet)
  return () => {
    removeEventListener('message', greet)
    port?.close()
  }
}
