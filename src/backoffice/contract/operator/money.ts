// Schemas of suspense, transfers, bank files and differences.
import { type Static, Type } from 'typebox'
import { postingSchema } from '../payments.ts'

const orNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const walletOrNull = Type.Union([Type.Integer(), Type.Null()])
/** At most the largest number that JSON keeps exactly. The database can store it too. */
const walletNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const suspenseQuery = Type.Object({
  all: Type.Optional(Type.Boolean()),
})

export const suspenseEntrySchema = Type.Object({
  id: Type.String(),
  state: Type.String(),
  amount: Type.String(),
  reason: Type.String(),
  method: Type.String(),
  reference: Type.String(),
  /** Null if the owner of the paid reference is unknown. */
  wallet_id: walletOrNull,
  paid: Type.String(),
  problem: orNull(Type.String()),
  assigned_wallet_id: walletOrNull,
  operation_id: orNull(Type.String()),
})
export type SuspenseEntryAnswer = Static<typeof suspenseEntrySchema>

export const suspenseSchema = Type.Object({ entries: Type.Array(suspenseEntrySchema) })
export type SuspenseAnswer = Static<typeof suspenseSchema>

/** Without an IBAN the provider refunds the money itself. */
export const suspenseRefundBody = Type.Object({
  iban: Type.Optional(Type.String({ maxLength: 60 })),
  name: Type.Optional(Type.String({ maxLength: 70 })),
})

export const suspenseAssignBody = Type.Object({
  wallet_id: Type.Optional(walletNumber),
  operation_id: Type.Optional(Type.String({ maxLength: 40 })),
})

export const assignPreviewQuery = Type.Object({
  wallet_id: walletNumber,
  operation_id: Type.Optional(Type.String({ maxLength: 40 })),
})
export type AssignPreviewQuery = Static<typeof assignPreviewQuery>
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
  /** Open orders, oldest first. */
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
  waiting: Type.Array(Type.Object({ kind: Type.String(), orders: Type.Integer(), total: Type.String() })),
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
      /** The id of the operation or of the statement line. */
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
  /** The content as text, or in base64. */
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

export const resolveBody = Type.Object({
  note: Type.Optional(Type.String({ maxLength: 500 })),
  as_transfer: Type.Optional(Type.Boolean()),
})
export const settleBody = Type.Object({
  answer: Type.Enum(['paid', 'returned']),
  fee: Type.Optional(Type.String({ maxLength: 20 })),
  reason: Type.String({ minLength: 1, maxLength: 300 }),
})
export const settledSchema = Type.Object({ state: Type.Enum(['waiting', 'answered', 'withdrawn']) })
export type SettledAnswer = Static<typeof settledSchema>
export const explainBody = Type.Object({ note: Type.String({ minLength: 1, maxLength: 500 }) })
export const doneSchema = Type.Object({ done: Type.Literal(true) })
