// The entry point of splits: dividing payments and refunds. No function writes; two find wallets by an argument.

export { resolveListed, resolveSplit, type SubMerchant } from './descriptors.ts'
export { type Divided, type DividedShare, type Division, divide } from './divide.ts'
export { type CapturedBefore, divideCapture } from './divide-capture.ts'
export { explainDivision, explainRefund, variableFee } from './explain.ts'
export type { AskedShare, BookedShare, RefundSource, Share, ShareRefund } from './model.ts'
export { type DividedPayment, planRefund, type RefundPlan } from './plan-refund.ts'
