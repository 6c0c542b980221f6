// SEPA: direct debits of the customer's bank account.
export { debitPage } from './page.ts'
