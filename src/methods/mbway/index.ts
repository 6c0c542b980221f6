// MBWAY: payments that people approve on their phone.
export { mbwayPage } from './page.ts'
export { mbwaySubscribing } from './subscribing.ts'
