// The hosted pages: pure functions from a view model to HTML, and what serving them needs.

export { renderCheckoutPage } from './checkout-page.ts'
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
export { addressFields } from './parts/address-fields.ts'
export { contactFields, customerFields, nameField } from './parts/contact-fields.ts'
export { detailLine } from './parts/detail-line.ts'
export { field, fieldId, problemAttributes } from './parts/field.ts'
export { brandMarks, codeOnBack, codeOnFront, icons } from './parts/icons.ts'
export { lateNote } from './parts/late-note.ts'
export { merchantMark } from './parts/merchant.ts'
export { brandName } from './parts/receipt.ts'
export { shopLink } from './parts/shop-link.ts'
export { submitButton } from './parts/submit-button.ts'
export { summaryLine } from './parts/summary.ts'
export { renderProblemPage } from './problem-page.ts'
export { renderResultPage } from './result-page.ts'
export { renderSubscriptionPage } from './subscription-page.ts'
export { dayInWords, type LocalMoment, localMoment, money, wholeMoment } from './texts/format.ts'
export { pickLocale } from './texts/locale.ts'
export type { Message } from './texts/shape.ts'
export { texts } from './texts/texts.ts'
export { renderWaitingPage } from './waiting-page.ts'
