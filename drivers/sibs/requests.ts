// What the driver notes with its requests, and the parts that its verbs share.
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import type { Cents } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type {
  CardFormPage,
  DeclineReason,
  WalletDecline,
  WalletMandateChange,
} from '../../src/rails/index.ts'
import type { SpgClient } from './client.ts'

/** What the verbs of one connection work with. */
export interface Spg {
  readonly client: SpgClient
  readonly tools: DriverTools
}

/** Of a payment, before it is sent. Amounts are cents as text. */
export interface NotedPayment {
  readonly kind: 'payment'
  readonly intent: 'sale' | 'hold'
  readonly amount: string
  readonly phone: string
  readonly expires: Instant
  /** SPG's id of the mandate under which it is asked for. */
  readonly mandateId?: string | undefined
  readonly decline?: WalletDecline | undefined
}

/** Of a payment by card, before its form is shown. */
export interface NotedCard {
  readonly kind: 'card'
  readonly intent: 'sale' | 'hold'
  readonly amount: string
  /** When SPG takes nothing on the form any more, whatever it says. */
  readonly until: Instant
  readonly form?: CardFormPage['cardForm'] | undefined
  readonly decline?: DeclineReason | 'cancelled' | undefined
}

/** Of a reference; its name once SPG has made it. */
export interface NotedReference {
  readonly kind: 'reference'
  /** As much as may be paid. */
  readonly amount: string
  /** The last second in which it can be paid. */
  readonly expires: Instant
  readonly entity?: string | undefined
  readonly ref?: string | undefined
  /** When its payment was first seen. */
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
  /** What was seen of it so far, numbered from 1. */
  readonly changes: readonly NotedChange[]
  readonly decline?: WalletDecline | undefined
  /** A notification said that the customer refused. */
  readonly refused?: boolean | undefined
}

/** As the rail's contract has it, with the limit as text. */
export type NotedChange = WalletMandateChange extends infer Change
  ? Change extends { limit: Cents }
    ? Omit<Change, 'limit'> & { readonly limit: string }
    : Change
  : never

export type Noted = NotedPayment | NotedCard | NotedReference | NotedMovement | NotedMandate

export function notedOf(request: RailRequest | undefined): Noted | undefined {
  return (request?.answer ?? undefined) as Noted | undefined
}

export function declined<Decline extends string>(decline: Decline) {
  return { kind: 'declined', decline } as const
}

/**
 * Runs what is asked for under one key once at a time: who asks meanwhile gets the same answer. Other processes are
 * kept apart by the steps of the request.
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
