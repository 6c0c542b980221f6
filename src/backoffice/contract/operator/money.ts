// Money that waits for the operator: suspense, transfers without a wallet, entries of the bank, differences to providers.
import { type Static, Type } from 'typebox'
import { postingSchema } from '../payments.ts'

const orNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const walletOrNull = Type.Union([Type.Integer(), Type.Null()])
/** Number of a wallet, as it is asked for: at most what a JSON number holds exactly, and a bigint of the database too. */
const walletNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const suspenseQuery = Type.Object({
  /** Also what was given back or assigned. */
  all: Type.Optional(Type.Boolean()),
})

export const suspenseEntrySchema = Type.Object({
  id: Type.String(),
  state: Type.String(),
  amount: Type.String(),
  reason: Type.String(),
  method: Type.String(),
  reference: Type.String(),
  /** Whose reference was paid; null where nobody knows. */
  wallet_id: walletOrNull,
  paid: Type.String(),
  problem: orNull(Type.String()),
  assigned_wallet_id: walletOrNull,
  operation_id: orNull(Type.String()),
})
export type SuspenseEntryAnswer = Static<typeof suspenseEntrySchema>

export const suspenseSchema = Type.Object({ entries: Type.Array(suspenseEntrySchema) })
export type SuspenseAnswer = Static<typeof suspenseSchema>

/** Without an IBAN the provider is asked to give it back. */
export const suspenseRefundBody = Type.Object({
  iban: Type.Optional(Type.String({ maxLength: 60 })),
  name: Type.Optional(Type.String({ maxLength: 70 })),
})

export const suspenseAssignBody = Type.Object({
  wallet_id: Type.Optional(walletNumber),
  /** The payment that was meant. */
  operation_id: Type.Optional(Type.String({ maxLength: 40 })),
})

/** To whom it would be assigned. */
export const assignPreviewQuery = Type.Object({
  wallet_id: walletNumber,
  operation_id: Type.Optional(Type.String({ maxLength: 40 })),
})
export type AssignPreviewQuery = Static<typeof assignPreviewQuery>
/** What it would book. */
export const assignPreviewSchema = Type.Object({ postings: Type.Array(postingSchema) })
export type AssignPreviewAnswer = Static<typeof assignPreviewSchema>

export const transfersSchema = Type.Object({
  transfers: Type.Array(
    Type.Object({
      id: Type.String(),
      text: Type.String(),
      iban: orNull(Type.String()),
      amount: Type.String(),
      problem: orNull(Type.String()),
      date: Type.String(),
    }),
  ),
})
export type TransfersAnswer = Static<typeof transfersSchema>

export const transferAssignBody = Type.Object({ wallet_id: walletNumber })

export const bankSchema = Type.Object({
  /** Orders that the bank has not answered, or whose answer by hand waits; oldest first. */
  open: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      amount: Type.String(),
      name: Type.String(),
      wallet_id: walletOrNull,
      due_on: Type.String(),
      answer: orNull(Type.String()),
      hint: orNull(Type.String()),
      /** For a second person. */
      waiting: Type.Union([
        Type.Object({
          answer: Type.String(),
          fee: Type.String(),
          reason: Type.String(),
          by: Type.String(),
          at: Type.String(),
        }),
        Type.Null(),
      ]),
    }),
  ),
  /** Oldest first. */
  unmatched: Type.Array(
    Type.Object({
      id: Type.String(),
      direction: Type.String(),
      amount: Type.String(),
      booked_on: orNull(Type.String()),
      name: orNull(Type.String()),
      text: orNull(Type.String()),
      problem: orNull(Type.String()),
    }),
  ),
  /** What the next files would carry. */
  waiting: Type.Array(Type.Object({ kind: Type.String(), orders: Type.Integer(), total: Type.String() })),
  /** Newest first. */
  exported: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      orders: Type.Integer(),
      total: Type.String(),
      created: Type.String(),
      written: orNull(Type.String()),
    }),
  ),
  imported: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      name: Type.String(),
      message_id: Type.String(),
      imported: Type.String(),
    }),
  ),
  differences: Type.Array(
    Type.Object({
      id: Type.Integer(),
      connection: Type.Integer(),
      day: Type.String(),
      age_days: Type.Integer(),
      kind: Type.String(),
      ledger: Type.String(),
      statement: Type.String(),
      /** The operation, or the line of the statement. */
      about: Type.String(),
    }),
  ),
})
export type BankAnswer = Static<typeof bankSchema>

export const exportedSchema = Type.Object({
  files: Type.Array(Type.Object({ name: Type.String(), orders: Type.Integer(), total: Type.String() })),
})
export type ExportedAnswer = Static<typeof exportedSchema>

export const bankFileBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) })
export const bankFileSchema = Type.Object({ name: Type.String(), content: Type.String() })
export type BankFileAnswer = Static<typeof bankFileSchema>

export const importBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  /** The file: as text, or its bytes in base64. */
  content: Type.String(),
  encoding: Type.Optional(Type.Literal('base64')),
})
export const importedSchema = Type.Object({
  kind: Type.String(),
  entries: Type.Integer(),
  matched: Type.Integer(),
  unmatched: Type.Integer(),
  repeated: Type.Integer(),
})
export type ImportedAnswer = Static<typeof importedSchema>

/** How an entry is closed: by a note, or as a transfer that arrived. */
export const resolveBody = Type.Object({
  note: Type.Optional(Type.String({ maxLength: 500 })),
  as_transfer: Type.Optional(Type.Boolean()),
})
/** What the bank made of an order, as it said otherwise than by file. */
export const settleBody = Type.Object({
  answer: Type.Enum(['paid', 'returned']),
  /** What the bank charged, in euros. */
  fee: Type.Optional(Type.String({ maxLength: 20 })),
  reason: Type.String({ minLength: 1, maxLength: 300 }),
})
export const settledSchema = Type.Object({ state: Type.Enum(['waiting', 'answered', 'withdrawn']) })
export type SettledAnswer = Static<typeof settledSchema>
export const explainBody = Type.Object({ note: Type.String({ minLength: 1, maxLength: 500 }) })
export const doneSchema = Type.Object({ done: Type.Literal(true) })
