// The tables of balances: who paid what from one, and transfers that arrived.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const balancePayments = table(
  'balance_payments',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    operationId: column.uuid(),
    consumerId: column.bigint(),
    amount: column.cents(),
    /** Why nothing was paid, in a word. */
    failure: column.text().optional(),
  },
  { createdAt: column.instant() },
)

export type BalancePayment = RowOf<typeof balancePayments>

export const incomingTransfers = table(
  'incoming_transfers',
  {
    id: column.uuid(),
    text: column.text(),
    iban: column.text().optional(),
    amount: column.cents(),
    currency: column.text(),
    walletId: column.bigint().optional(),
    operationId: column.uuid().optional(),
    /** Why it was put to nobody's account at first. */
    problem: column.text().optional(),
    createdAt: column.instant(),
  },
  {
    /** When it was put to a wallet. */
    assignedAt: column.instant().optional(),
  },
)

/** A transfer that arrived, and what became of it. */
export type ReceivedTransfer = RowOf<typeof incomingTransfers>
