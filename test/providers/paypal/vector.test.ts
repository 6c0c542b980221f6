// A webhook that PayPal signed in 2015, from the tests of its own libraries.
//
// Certificate: paypal/PayPal-node-SDK, test/mocks/notification.js. Signature and body: paypal/PayPal-Python-SDK,
// test/unit_tests/notifications_test.py. Node no longer has DigiCert's root of that time, so it is here too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  certificatesIn,
  isCertificateAddress,
  isSigned,
  transmissionOf,
} from '../../../drivers/paypal/certificates.ts'
import { instant } from '../../../src/kernel/time.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, 'vector', name), 'utf8')
const body = read('body.txt').trimEnd()
const [signer] = certificatesIn(read('signer.pem'))
const [authority] = certificatesIn(read('authority.pem'))
const roots = certificatesIn(read('root.pem'))
const webhookId = '4JH86294D6297924G'
const headers = {
  'paypal-transmission-id': 'dfb3be50-fd74-11e4-8bf3-77339302725b',
  'paypal-transmission-time': '2015-05-18T15:45:13Z',
  'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77',
  'paypal-transmission-sig':
    'thy4/U002quzxFavHPwbfJGcc46E8rc5jzgyeafWm5mICTBdY/8rl7WJpn8JA0GKA+oDTPsSruqusw+XXg5RLAP7ip' +
    '53Euh9Xu3UbUhQFX7UgwzE2FeYoY6lyRMiiiQLzy9BvHfIzNIVhPad4KnC339dr6y2l+mN8ALgI4GCdIh3/SoJO5wE' +
    '64Bh/ueWtt8EVuvsvXfda2Le5a2TrOI9vLEzsm9GS79hAR/5oLexNz8UiZr045Mr5ObroH4w4oNfmkTaDk9Rj0G19u' +
    'vISs5QzgmBpauKr7Nw++JI0pr/v5mFctQkoWJSGfBGzPRXawrvIIVHQ9Wer48GR2g9ZiApWg==',
}
/** The certificate was valid from 2015 to 2017. */
const then = instant(Date.parse('2015-05-18T15:45:14Z'))

function verify(
  change: { readonly body?: string; readonly webhook?: string; readonly headers?: object } = {},
) {
  const received = { headers: { ...headers, ...change.headers }, rawBody: Buffer.from(change.body ?? body) }
  const sent = transmissionOf(received, change.webhook ?? webhookId)
  if (sent === undefined || signer === undefined || authority === undefined) throw new Error('incomplete')
  return { sent, chain: [signer, authority] }
}

it('is accepted with PayPal’s certificate and its chain to the root', () => {
  const { sent, chain } = verify()
  expect(isSigned(sent, chain, then, roots)).toBe(true)
  expect(isCertificateAddress(sent.certificateUrl, 'https://api-m.sandbox.paypal.com')).toBe(true)
  expect(isCertificateAddress(sent.certificateUrl, 'https://api-m.paypal.com')).toBe(false)
})

it.each([
  ['another body', { body: body.replace('20.00', '21.00') }],
  ['another webhook', { webhook: '4JH86294D6297924H' }],
  ['another time', { headers: { 'paypal-transmission-time': '2015-05-18T15:45:14Z' } }],
  ['another transmission', { headers: { 'paypal-transmission-id': 'dfb3be50' } }],
])('is refused for %s', (_, change) => {
  const { sent, chain } = verify(change)
  expect(isSigned(sent, chain, then, roots)).toBe(false)
})

it('is refused without the chain or the root, and before and after the certificate’s time', () => {
  const { sent, chain } = verify()
  expect(isSigned(sent, chain.slice(0, 1), then, roots)).toBe(false)
  expect(isSigned(sent, chain, then, [])).toBe(false)
  for (const at of ['2015-03-17T00:00:00Z', '2017-03-23T00:00:00Z'])
    expect(isSigned(sent, chain, instant(Date.parse(at)), roots)).toBe(false)
})
