// Handshake and calls from the merchant's page to the frame.
import {
  type CallMessage,
  type CallName,
  type Calls,
  type Failure,
  type FieldErrors,
  type FrameMessage,
  greeting,
  hello,
  type Settings,
} from '../messages.ts'

/** Rejection of `encrypt` and the other calls. */
export class SecureFieldsError extends Error {
  readonly code: Failure['code']
  /** Errors by field if the card is incomplete. */
  readonly errors: FieldErrors | undefined

  constructor({ code, message, errors }: Failure) {
    super(message)
    this.name = 'SecureFieldsError'
    this.code = code
    this.errors = errors
  }
}

interface Pending {
  readonly message: CallMessage
  readonly resolve: (result: never) => void
  readonly reject: (error: SecureFieldsError) => void
}

export interface Connection {
  call<Name extends CallName>(name: Name, argument?: Calls[Name]['argument']): Promise<Calls[Name]['result']>
  /** Rejects open calls. */
  fail(failure: Failure): void
  close(failure: Failure): void
}

type Told = Exclude<FrameMessage, { readonly id: number }>

/**
 * Answers each hello of the frame with a port, also after a reload.
 *
 * @param settings greeting of the frame
 * @param onMessage messages other than answers
 */
export function connect(
  frame: HTMLIFrameElement,
  settings: () => Settings,
  onMessage: (message: Told) => void,
): Connection {
  const { origin } = new URL(frame.src)
  const waiting = new Map<number, Pending>()
  let port: MessagePort | undefined
  let last = 0

  function greet({ source, origin: sender, data }: MessageEvent): void {
    if (source !== frame.contentWindow || sender !== origin || data !== hello) return
    const channel = new MessageChannel()
    port?.close()
    port = channel.port1
    port.onmessage = ({ data: message }) => hear(message)
    frame.contentWindow?.postMessage({ ...settings(), type: greeting }, origin, [channel.port2])
    for (const { message } of waiting.values()) port.postMessage(message)
  }

  function hear(message: FrameMessage): void {
    if (!('id' in message)) return onMessage(message)
    const pending = waiting.get(message.id)
    waiting.delete(message.id)
    if ('failure' in message) pending?.reject(new SecureFieldsError(message.failure))
    else pending?.resolve(message.result as never)
  }

  function fail(failure: Failure): void {
    for (const { reject } of waiting.values()) reject(new SecureFieldsError(failure))
    waiting.clear()
  }

  addEventListener('message', greet)
  return {
    call: (call, argument) =>
      new Promise((resolve, reject) => {
        const message = { id: ++last, call, argument }
        waiting.set(message.id, { message, resolve, reject })
        port?.postMessage(message)
      }),
    fail,
    close(failure) {
      removeEventListener('message', greet)
      port?.close()
      fail(failure)
    },
  }
}
