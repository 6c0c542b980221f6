// Records of a random world: requests, answers, callbacks.
import type { WireAnswer, WireRequest } from './wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a merchant's script reads them
export type Json = any

/** A merchant of `demo.json`. Only the first one has every right. */
export interface Merchant {
  readonly name: string
  readonly wallet_id: number
  readonly public_id: string
  readonly api_key: string
  readonly esb_token: string
  readonly callback_user: string
  readonly callback_secret: string
  readonly callback_signing_secret: string
  readonly roles: readonly string[]
}

/** A request that a merchant wants to make. It may be sent several times under one key. */
export interface Call {
  readonly merchant: Merchant
  readonly verb: string
  readonly request: WireRequest
  readonly key?: string | undefined
  readonly marker?: string | undefined
  /** Another request already used the key with another meaning, so the gateway must refuse this one. */
  readonly isTwisted?: boolean
  /** The request is about an object of another merchant, so the answer must be 404. */
  readonly isProbe?: boolean
}

/** With `hang` the merchant never answered, with `cut` it closed the connection. */
export type Reply = number | 'hang' | 'cut'

export interface Receipt {
  readonly walletId: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly reply: Reply
}

export interface Witness {
  asked(call: Call): number
  answered(call: Call, asked: number, answer: WireAnswer | undefined): void
  received(receipt: Receipt): void
  paidAtAtm(typed: Json, answer: Json): void
  consumer(email: string, balanceCents: number): void
  moved(seconds: number): void
}
