// MB: references that people pay at ATMs and in home banking.
export { referencePage } from './page.ts'
