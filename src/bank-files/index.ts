// The entry point of what goes to the bank by file.
export { bankFileChecks } from './audit.ts'
export type { BankOrder } from './model.ts'
export { addBankOrder, findBankOrder } from './store.ts'
export { type BankFilesDeps, type WrittenFile, writeBankFiles } from './write.ts'
