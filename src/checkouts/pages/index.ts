// The hosted pages: pure functions from a view model to HTML, and what serving them needs.

export { renderCheckoutPage } from './checkout-page.ts'
export { renderDebitPage } from './debit-page.ts'
export { type Assets, loadAssets } from './frame/assets.ts'
export { contentSecurityPolicy, type PolicyOptions } from './frame/csp.ts'
export { checkoutPath, methodPart } from './frame/paths.ts'
export {
  renderCardFormPage,
  renderChallengePage,
  renderMethodDonePage,
  renderMethodPage,
  renderProceedPage,
} from './issuer-pages.ts'
export type * from './model.ts'
export { renderProblemPage } from './problem-page.ts'
export { renderReferencePage } from './reference-page.ts'
export { renderResultPage } from './result-page.ts'
export { renderSubscriptionPage } from './subscription-page.ts'
export { accountMethodTexts } from './texts/account-methods.ts'
export { dayInWords } from './texts/format.ts'
export { pickLocale } from './texts/locale.ts'
export { renderWaitingPage } from './waiting-page.ts'
