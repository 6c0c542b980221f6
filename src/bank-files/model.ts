// What the bank is asked to do by file: collect from a debtor, or transfer to a beneficiary.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'

interface Order {
  /** The key under which the bank's port was asked too. */
  readonly id: string
  readonly walletId: bigint
  readonly operationId: string
  readonly amount: Cents
  readonly currency: 'EUR'
  /** The account at the other end. */
  readonly party: { readonly name: string; readonly iban: string }
  /** What the other end reads on their statement. */
  readonly remittance: string
  readonly dueOn: Day
  readonly createdAt: Instant
}

export type BankOrder =
  | (Order & { readonly kind: 'transfer' })
  | (Order & {
      readonly kind: 'collection'
      readonly mandate: { readonly id: string; readonly signedOn: Day }
    })

export type OrderKind = BankOrder['kind']

/** A file of orders of one kind. */
export interface BankFile {
  readonly id: string
  readonly kind: OrderKind
  readonly name: string
  readonly orders: number
  readonly total: Cents
  readonly createdAt: Instant
}
