// Every route without key or session, with the reason.

/** Routes by purpose. The reason names the effects of their address. */
export const publicRoutes: Readonly<Record<string, readonly string[]>> = {
  'health, for monitoring; metrics, for this machine or with METRICS_TOKEN': [
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
  ],
  'documentation; on the machine of a sandbox it contains the demo keys': [
    'GET /openapi.json',
    'GET /openapi-3.0.json',
    'GET /docs',
    'GET /docs/*',
    'GET /docs/api',
    'GET /docs/api/js/:file',
    'GET /docs/openapi.json',
  ],
  'pictures, scripts and styles': [
    'GET /api/anon/images/button',
    'GET /api/v2/anon/images/button',
    'GET /assets/*',
    'GET /badge/v1/badge.js',
    'GET /embed/v1/checkout.js',
    'GET /branding/colours/:file',
    'GET /branding/logos/:file',
  ],
  'redirects to the backoffice or the sandbox': ['GET /', 'GET /backoffice', 'GET /backoffice/*'],
  'sign-in: it asks for a password, passkey, code or one-time link': [
    'GET /backoffice/api/auth/passkey/generate-authenticate-options',
    'POST /backoffice/api/auth/passkey/verify-authentication',
    'POST /backoffice/api/auth/two-factor/verify-backup-code',
    'POST /backoffice/api/auth/two-factor/verify-totp',
    'POST /backoffice/api/join',
    'POST /backoffice/api/join/look',
    'POST /backoffice/api/sign-in',
  ],
  'the page of one checkout, for the customer with its address': [
    'GET /checkout/:id',
    'GET /checkout/:id/bank',
    'GET /checkout/:id/cancel',
    'GET /checkout/:id/card',
    'GET /checkout/:id/delivery',
    'GET /checkout/:id/events',
    'GET /checkout/:id/mb',
    'GET /checkout/:id/mbway',
    'GET /checkout/:id/paypal',
    'GET /checkout/:id/sepa',
    'GET /checkout/:id/wallet',
    'GET /checkout/:id/withdraw',
    'POST /checkout/:id/bank',
    'POST /checkout/:id/cancel',
    'POST /checkout/:id/card',
    'POST /checkout/:id/delivery',
    'POST /checkout/:id/mb',
    'POST /checkout/:id/mbway',
    'POST /checkout/:id/paypal',
    'POST /checkout/:id/sepa',
    'POST /checkout/:id/wallet',
    'POST /checkout/:id/withdraw',
    'POST /checkout/method-done',
  ],
  'a payment link, for everyone with its address': [
    'GET /l/:code',
    'GET /l/:code/qr.png',
    'GET /l/:code/qr.svg',
    'POST /l/:code',
  ],
  'the page that stores one card, for the cardholder who has its address': [
    'GET /secure/:id',
    'GET /secure/:id/events',
    'POST /secure/:id',
  ],
  'the end of a subscription, for the customer with the signed link': [
    'GET /subscription/:id/:signature',
    'GET /subscription/:id/:signature/cancel',
    'GET /subscription/:id/:signature/retry',
    'POST /subscription/:id/:signature/cancel',
    'POST /subscription/:id/:signature/retry',
  ],
  'another attempt of one open charge, for the customer with the signed link': [
    'GET /subscription/:id/charge/:charge/:signature',
    'GET /subscription/:id/charge/:charge/:signature/retry',
    'POST /subscription/:id/charge/:charge/:signature/retry',
  ],
  'the account of a refund, for the payer with the signed link': [
    'GET /refund/:id/:token',
    'POST /refund/:id/:token',
  ],
  'the end of one kind of mail, for the reader with the sealed link': [
    'GET /mail/stop/:token',
    'POST /mail/stop/:token',
  ],
  'the return from 3-D Secure; the 3DS server sends a secret of the authentication': [
    'GET /3ds/return/:threeDsId',
    'POST /3ds/results/:threeDsId/:secret',
    'POST /3ds/return/:threeDsId',
  ],
  'card fields on a merchant’s page: public keys, a script, and a session without rights': [
    'GET /.well-known/secure-fields/jwks.json',
    'GET /secure-fields/v1/frame',
    'GET /secure-fields/v1/integrity.json',
    'GET /secure-fields/v1/secure-fields-<hash>.js',
    'GET /secure-fields/v1/secure-fields.js',
    'GET /secure-fields/v1/session',
  ],
}

export const productionRoutes: Readonly<Record<string, readonly string[]>> = {
  'webhooks of providers: each driver verifies the sender': [
    'POST /rails/:driver/:connection',
    'POST /webhooks/:driver',
    'GET /rails/:driver/:connection',
    'GET /webhooks/:driver',
  ],
}

/** Simulated banks, phones and issuers, which production does not have. */
export function isOfSandbox({ url }: { readonly url: string }): boolean {
  return url === '/sandbox' || url.startsWith('/sandbox/')
}
