// Exports for methods whose refunds go to a bank account.
export type { AccountRefunds, AskedAccount, BankAccount } from './refunds/to-account.ts'
