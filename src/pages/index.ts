// The hosted pages: pure functions from a view model to HTML, and what serving them needs.

export { renderCheckoutPage } from './checkout-page.ts'
export { renderDebitPage } from './debit-page.ts'
export { type Assets, loadAssets } from './frame/assets.ts'
export { contentSecurityPolicy, type PolicyOptions } from './frame/csp.ts'
export { flag, html, ownPath } from './frame/html.ts'
export { document } from './frame/layout.ts'
export { checkoutPath, methodPart } from './frame/paths.ts'
export {
  renderCardFormPage,
  renderChallengePage,
  renderMethodDonePage,
  renderMethodPage,
  renderProceedPage,
} from './issuer-pages.ts'
export type * from './model.ts'
export { icons } from './parts/icons.ts'
export { merchantMark } from './parts/merchant.ts'
export { renderProblemPage } from './problem-page.ts'
export { renderReferencePage } from './reference-page.ts'
export { renderResultPage } from './result-page.ts'
export { renderSubscriptionPage } from './subscription-page.ts'
export { accountMethodTexts } from './texts/account-methods.ts'
export { dayInWords, money, wholeMoment } from './texts/format.ts'
export { pickLocale } from './texts/locale.ts'
export { mbwayTexts } from './texts/mbway.ts'
export { texts } from './texts/texts.ts'
export { renderWaitingPage } from './waiting-page.ts'
