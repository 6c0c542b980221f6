// Delivers requests of the gateway to merchants without a network.
import { Agent, type Dispatcher } from 'undici'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a request. Undefined means that the request was lost. */
export type Receive = (post: Post) => Promise<{ readonly status: number } | 'cut' | undefined>

export function takePosts(receive: Receive): void {
  Agent.prototype.dispatch = (options, handler) => {
    void exchange(options, handler, receive)
    return true
  }
}

async function exchange(
  { origin, path, headers, body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  receive: Receive,
): Promise<void> {
  let ended = false
  const end = (error: Error) => {
    if (ended) return
    ended = true
    handler.onResponseError?.(controller, error)
  }
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: [],
    rawTrailers: [],
    pause() {},
    resume() {},
    abort: end,
  }
  handler.onRequestStart?.(controller, {})
  const answer = await receive({
    url: `${origin}${path}`,
    headers: headers as Readonly<Record<string, string>>,
    body: String(body),
  })
  if (answer === undefined || ended) return
  if (answer === 'cut') return end(Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' }))
  handler.onResponseStart?.(controller, answer.status, {}, '')
  ended = true
  handler.onResponseEnd?.(controller, {})
}
