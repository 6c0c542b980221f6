// The hosted pages: from view models to HTML.

export {
  browserOf,
  contentSecurityPolicy,
  formOf,
  localeOf,
  type PolicyOptions,
  pageHeaders,
  pageRoute,
  sendPage,
} from './answers.ts'
export { renderCheckoutPage } from './checkout-page.ts'
export { checkoutPath, flag, html, latePath, methodPart, ownPath, webUrl } from './html.ts'
export { dayInWords, type LocalMoment, localMoment, money, wholeMoment } from './i18n/format.ts'
export { pickLocale, texts } from './i18n/index.ts'
export type { Message } from './i18n/shape.ts'
export { document, loadAssets } from './layout.ts'
export type * from './model.ts'
export { addressFields } from './parts/address-fields.ts'
export {
  contactFields,
  customerFields,
  field,
  fieldId,
  nameField,
  problemAttributes,
  submitButton,
} from './parts/field.ts'
export { brandMarks, codeOnBack, codeOnFront, icons } from './parts/icons.ts'
export { brandOf, lateNote, merchantMark, shopLink } from './parts/merchant.ts'
export { brandName, detailLine, summaryLine } from './parts/summary.ts'
export { renderProblemPage } from './problem-page.ts'
export { renderResultPage } from './result-page.ts'
export { createStateStreams, type StateStreams } from './state-streams.ts'
export { renderOpenChargePage, renderSubscriptionPage } from './subscription-page.ts'
export { renderWaitingPage } from './waiting-page.ts'
