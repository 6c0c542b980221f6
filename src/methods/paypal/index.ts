// PAYPAL: an account with PayPal, at its own page.
export { paypalPage } from './page.ts'
