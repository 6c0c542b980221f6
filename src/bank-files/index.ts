// The entry point of files for the bank and of the bank: orders go out, what the bank says of them comes in.

export { type BankAdmin, createBankAdmin } from './bank-admin.ts'
export type { OpenOrder, SettledOrder } from './by-hand/settle.ts'
export { statementByFile } from './incoming/statement.ts'
export { returnedByFile } from './incoming/store.ts'
export { type BankOrder, maskedIban } from './model.ts'
export { type BankRails, beforeDriver, railsByFile } from './rails.ts'
export { addBankOrder, findBankOrder, findBankOrders } from './store.ts'
