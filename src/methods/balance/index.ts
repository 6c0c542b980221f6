// WALLET: the balance that a consumer has with this gateway.
export { balancePage } from './page.ts'
export { balanceSubscribing } from './subscribing.ts'
