// The entry point of the bank-files module: orders and answers by file.
export { type BankAdmin, createBankAdmin } from './bank-admin.ts'
export type { OpenOrder, SettledOrder } from './by-hand/settle.ts'
export { statementByFile } from './incoming/statement.ts'
export { returnedByFile } from './incoming/store.ts'
export { type BankOrder, maskedIban } from './model.ts'
export { type BankRails, beforeDriver, railsByFile } from './rails.ts'
export { addBankOrder, findBankOrder, findBankOrders } from './store.ts'
