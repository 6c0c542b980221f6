// Tables and test accounts of the sandbox's bank.
import type { ReturnReason } from '../../src/rails/index.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'
import type { Language } from '../issuer/messages.ts'

export type BankState = 'waiting' | 'paid' | 'returned'

const entryColumns = {
  key: column.uuid(),
  reference: column.text(),
  iban: column.text(),
  amount: column.bigint(),
  currency: column.text(),
  state: column.text<BankState>(),
  reason: column.text<ReturnReason>().optional(),
  createdAt: column.instant(),
  /** The moment at which the bank answers automatically. */
  answersAt: column.instant(),
}

export const transfers = table('sandbox.transfers', { ...entryColumns, name: column.text() })

export const debits = table(
  'sandbox.debits',
  { ...entryColumns, name: column.text().named('debtor_name') },
  { merchantName: column.text(), mandateId: column.text(), refunded: column.bigint() },
)

export type BankEntry = RowOf<typeof transfers>

export const creditorAccount = {
  name: 'Comporta Sandbox',
  iban: 'PT50000201231234567890154',
  bic: 'SBOXPTPL',
  creditorId: 'PT31ZZZ123456',
} as const

export interface TestAccount {
  readonly iban: string
  readonly outcome: Readonly<Record<Language, string>>
  readonly returns?: ReturnReason
  /** The bank carries out orders for this account, but sends no answer. An inquiry finds the result. */
  readonly silent?: true
}

/** Accounts with a known result. Orders for every other valid IBAN succeed. */
export const testAccounts: readonly TestAccount[] = [
  { iban: 'PT50000201231234567890154', outcome: { en: 'Paid', pt: 'Pago' } },
  {
    iban: 'PT50000201230000000001087',
    outcome: { en: 'Returned: insufficient funds', pt: 'Devolvido: saldo insuficiente' },
    returns: 'insufficient_funds',
  },
  {
    iban: 'PT50000201230000000002057',
    outcome: { en: 'Returned: account closed', pt: 'Devolvido: conta encerrada' },
    returns: 'account_closed',
  },
  {
    iban: 'PT50000201230000000003027',
    outcome: { en: 'No answer to the order; paid in the end', pt: 'Sem resposta à ordem; pago no fim' },
    silent: true,
  },
]

export function behaviourOfAccount(iban: string): Pick<TestAccount, 'returns' | 'silent'> {
  return testAccounts.find((account) => account.iban === iban) ?? {}
}

export const entriesListedMax = 50
