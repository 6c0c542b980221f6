// What the sandbox's bank keeps: debits it collects, transfers it pays out, and accounts that do not simply pay.
import type { Instant } from '../../src/kernel/time.ts'
import type { ReturnReason } from '../../src/rails/index.ts'
import type { Language } from '../issuer/words.ts'

export type BankState = 'waiting' | 'paid' | 'returned'

/** A debit or a transfer. */
export interface BankEntry {
  readonly key: string
  readonly reference: string
  /** The account at the other end. */
  readonly name: string
  readonly iban: string
  readonly amount: bigint
  readonly currency: string
  readonly state: BankState
  readonly reason: ReturnReason | undefined
  readonly createdAt: Instant
  /** When the bank answers by itself. */
  readonly answersAt: Instant
}

/** The account that the gateway has at this bank, and as whom it collects. */
export const creditorAccount = {
  name: 'Comporta Sandbox',
  iban: 'PT50000201231234567890154',
  bic: 'SBOXPTPL',
  /** Creditor identifier of the SEPA scheme. */
  creditorId: 'PT31ZZZ123456',
} as const

export interface TestAccount {
  readonly iban: string
  readonly outcome: Readonly<Record<Language, string>>
  readonly returns?: ReturnReason
  /** Orders on it are taken and never answered; asked about, they stand like any other. */
  readonly silent?: true
}

/** Accounts with a known outcome; every other valid IBAN pays and is paid. */
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

/** What happens to orders on an account. */
export function conductOfAccount(iban: string): Pick<TestAccount, 'returns' | 'silent'> {
  return testAccounts.find((account) => account.iban === iban) ?? {}
}

/** Rows on a page of the bank. */
export const entriesListedMax = 50
