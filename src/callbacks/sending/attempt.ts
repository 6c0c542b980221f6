// One delivery attempt: endpoint, credentials, POST, outcome.
import { performance } from 'node:perf_hooks'
import type { Randomness } from '../../kernel/random.ts'
import type { Clock } from '../../kernel/time.ts'
import { type Tracing, tracing } from '../../kernel/tracing.ts'
import type { Answer, ClaimedDelivery, Endpoint, FinishedDelivery, WalletEndpoints } from '../model.ts'
import type { Post } from './post.ts'
import { outcomeAfter } from './schedule.ts'
import { type HeaderDeps, headersOf } from './signature.ts'

export interface AttemptDeps extends HeaderDeps {
  readonly clock: Clock
  readonly random: Randomness
  endpointsOf(walletId: bigint): Promise<WalletEndpoints>
  readonly faultInjection?: Interference | undefined
}

/** The sandbox's simulated network, which may lose the request or the answer. */
export interface Interference {
  made(eventId: string): void
  send(
    delivery: Pick<ClaimedDelivery, 'walletId' | 'eventId' | 'lane'>,
    send: () => Promise<Answer>,
    timeoutMs: number,
    cancelled: AbortSignal,
  ): Promise<Answer>
}

/** If `cancelled` aborts before the attempt ends, the delivery is released unchanged. */
export async function attemptDelivery(
  deps: AttemptDeps,
  post: Post,
  delivery: ClaimedDelivery,
  timeoutMs: number,
  cancelled: AbortSignal,
): Promise<FinishedDelivery> {
  const address = delivery.url ?? addressFor[delivery.endpoint](await deps.endpointsOf(delivery.walletId))
  if (address === undefined) return { delivery, outcome: { state: 'NO_ENDPOINT' }, attempt: undefined }
  const credentials = delivery.credentials?.() ?? (await deps.credentialsOf(delivery.walletId))
  const at = deps.clock.now()
  const released = {
    delivery,
    outcome: { state: 'DUE', dueAt: delivery.dueAt },
    attempt: undefined,
  } as const
  if (cancelled.aborted) return released
  const until = performance.now() + timeoutMs
  const send = (secret: string) =>
    post(
      address,
      headersOf(deps, delivery, credentials, secret),
      delivery.payload,
      Math.max(0, until - performance.now()),
    )
  const sendTwice = async () => {
    const answer = await send(credentials.secret)
    // Basic authentication carries one secret: during a rotation, a receiver with the old one gets that.
    return isUnauthorized(answer) && credentials.previousSecret !== undefined
      ? send(credentials.previousSecret)
      : answer
  }

  const { faultInjection } = deps
  const sendAll =
    faultInjection === undefined
      ? sendTwice
      : () => faultInjection.send(delivery, sendTwice, timeoutMs, cancelled)

  const answer = await (tracing === undefined ? sendAll() : traced(tracing, delivery, address, sendAll))

  if (answer.kind === 'unanswered' && cancelled.aborted) return released
  const outcome = outcomeAfter(answer, delivery.attempts, deps.clock.now(), deps.random)
  return { delivery, outcome, attempt: { at, answer } }
}

/** Every attempt joins the trace of its event, also from another process. */
function traced(
  tracing: Tracing,
  { walletId, eventId, attempts, traceparent }: ClaimedDelivery,
  address: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const facts = {
    'comporta.wallet.id': String(walletId),
    'comporta.event.id': eventId,
    'comporta.callback.attempt': attempts + 1,
    // The path is left out, because merchants put secrets into it.
    'server.address': URL.parse(address)?.hostname,
  }
  return tracing.span('callback', { kind: 'client', facts, parent: traceparent }, async (span) => {
    const answer = await send()
    if (answer.kind === 'answered') span.note({ 'http.response.status_code': answer.status })
    span.note({ 'comporta.callback.answer': answer.kind })
    return answer
  })
}

/** The address of each kind (CONTRACT section 16). For cards, the wallet's general address is the default. */
const addressFor: Readonly<Record<Endpoint, (wallet: WalletEndpoints) => string | undefined>> = {
  operation: () => undefined,
  mandate: () => undefined,
  wallet: ({ callbackUrl }) => callbackUrl ?? undefined,
  card: ({ callbackUrl, cardCallbackUrl }) => cardCallbackUrl ?? callbackUrl ?? undefined,
}

function isUnauthorized(answer: Answer): boolean {
  return answer.kind === 'answered' && (answer.status === 401 || answer.status === 403)
}
