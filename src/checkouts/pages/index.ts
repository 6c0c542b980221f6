// The hosted pages: pure functions from a view model to HTML, and what serving them needs.
export { type Assets, loadAssets } from './assets.ts'
export { renderCheckoutPage } from './checkout-page.ts'
export { contentSecurityPolicy, type PolicyOptions } from './csp.ts'
export { renderDebitPage } from './debit-page.ts'
export { dayInWords } from './format.ts'
export {
  renderChallengePage,
  renderMethodDonePage,
  renderMethodPage,
  renderProceedPage,
} from './issuer-pages.ts'
export { pickLocale } from './locale.ts'
export type * from './model.ts'
export { otherTexts } from './other-texts.ts'
export { checkoutPath, methodPart } from './paths.ts'
export { renderProblemPage } from './problem-page.ts'
export { renderReferencePage } from './reference-page.ts'
export { renderResultPage } from './result-page.ts'
export { renderSubscriptionPage } from './subscription-page.ts'
export { renderWaitingPage } from './waiting-page.ts'
