// The driver's records of its requests, and shared parts.
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import type { Cents } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type {
  CardFormPage,
  DeclineReason,
  NotReceived,
  WalletDecline,
  WalletMandateChange,
} from '../../src/rails/index.ts'
import type { SpgClient } from './client.ts'

export interface Spg extends Pick<DriverTools, 'requests' | 'clock' | 'logger'> {
  readonly client: SpgClient
}

/** The same dependencies with a client whose calls end when the signal aborts. */
export function within<Deps extends Spg>(deps: Deps, signal: AbortSignal | undefined): Deps {
  return { ...deps, client: deps.client.within(signal) }
}

/** The driver records this before it sends the request. Amounts are cents as text. */
export interface NotedPayment {
  readonly kind: 'payment'
  readonly intent: 'sale' | 'hold'
  readonly amount: string
  readonly phone: string
  readonly expires: Instant
  readonly mandateId?: string | undefined
  readonly decline?: WalletDecline | undefined
}

export interface NotedCard {
  readonly kind: 'card'
  readonly intent: 'sale' | 'hold'
  readonly amount: string
  readonly until: Instant
  readonly form?: CardFormPage['cardForm'] | undefined
  readonly decline?: DeclineReason | 'cancelled' | undefined
}

export interface NotedReference {
  readonly kind: 'reference'
  readonly amount: string
  readonly expires: Instant
  readonly entity?: string | undefined
  readonly ref?: string | undefined
  readonly paidAt?: Instant | undefined
  readonly decline?: 'withdrawn' | 'not_permitted' | undefined
}

export interface NotedMovement {
  readonly kind: MovementKind
  readonly amount: string
  readonly decline?: WalletDecline | undefined
}

export type MovementKind = 'capture' | 'cancellation' | 'refund'

export interface NotedMandate {
  readonly kind: 'mandate'
  readonly phone: string
  readonly expires: Instant
  /** The changes so far, numbered from 1. */
  readonly changes: readonly NotedChange[]
  readonly decline?: WalletDecline | undefined
  readonly refused?: boolean | undefined
}

export type NotedChange = WalletMandateChange extends infer Change
  ? Change extends { limit: Cents }
    ? Omit<Change, 'limit'> & { readonly limit: string }
    : Change
  : never

export type Noted = NotedPayment | NotedCard | NotedReference | NotedMovement | NotedMandate

export function notedOf(request: RailRequest | undefined): Noted | undefined {
  return (request?.answer ?? undefined) as Noted | undefined
}

export function notedAs<Kind extends Noted['kind']>(
  request: RailRequest | undefined,
  kind: Kind,
): Extract<Noted, { kind: Kind }> | undefined {
  const noted = notedOf(request)
  return noted?.kind === kind ? (noted as Extract<Noted, { kind: Kind }>) : undefined
}

export const notFound: NotReceived = { kind: 'not_found' }

export function declined<Decline extends string>(decline: Decline) {
  return { kind: 'declined', decline } as const
}

/**
 * Concurrent callers of this process share one run per key. The recorded steps of the request do the same between
 * processes.
 */
export function createOnce(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>()
  return <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const known = running.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const started = run().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
