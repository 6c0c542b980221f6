// Records of a random world: requests, answers, callbacks.
import type { WireAnswer, WireRequest } from './wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a merchant's script reads them
export type Json = any

/** A merchant of the sandbox's `demo.json`; only the first has every right. */
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

/** One intended request of a merchant, possibly sent several times under one key. */
export interface Call {
  readonly merchant: Merchant
  readonly verb: string
  readonly request: WireRequest
  readonly key?: string | undefined
  readonly marker?: string | undefined
  /** Same key as another request, another meaning: must be refused. */
  readonly isTwisted?: boolean
  /** About an object of another merchant: the answer must be 404. */
  readonly isProbe?: boolean
}

/** `hang` never answered, `cut` broke the connection. */
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
