// What is noted of a random world: every request with its answer, and every callback that arrived.
import type { WireAnswer, WireRequest } from './wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a merchant's script reads them
export type Json = any

/** A merchant, as the sandbox's `demo.json` describes it; only the first has every right. */
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

/** One request of a merchant, as it is meant: sent once or, under one key, again and again. */
export interface Call {
  readonly merchant: Merchant
  /** What it asks for, such as `refund`. */
  readonly verb: string
  readonly request: WireRequest
  /** Its request id; undefined where nothing is made. */
  readonly key?: string | undefined
  /** The `ext_invoiceid` that nobody else uses, where what is made has one. */
  readonly marker?: string | undefined
  /** Under the key of another request, with another meaning: it has to be refused. */
  readonly isTwisted?: boolean
  /** About something of another merchant: it has to be answered as if that did not exist. */
  readonly isProbe?: boolean
}

/** How a receiver answered; `hang` never did, `cut` broke the connection. */
export type Reply = number | 'hang' | 'cut'

/** A callback as it arrived. */
export interface Receipt {
  /** Whose address it came to: the number of a wallet. */
  readonly walletId: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly reply: Reply
}

/** Who notes what happens. The numbers tell what was sent after which answer. */
export interface Witness {
  /** Before each sending; answers its number. */
  asked(call: Call): number
  /** After each sending; undefined when there was no answer. */
  answered(call: Call, asked: number, answer: WireAnswer | undefined): void
  received(receipt: Receipt): void
  /** A payment at an ATM: what was typed, and what the network answered. */
  paidAtAtm(typed: Json, answer: Json): void
  /** A consumer whose balance can pay, with what is on it at first. */
  consumer(email: string, balanceCents: number): void
  /** The gateway's time was moved by these seconds. */
  moved(seconds: number): void
}
