// Texts that look like secrets but are not, each with the reason.

const testCards: readonly string[] = [
  '2221000000000009',
  '2720990000000007',
  '2721000000000004',
  '30569309025904',
  '378282246310005',
  '4100000000000019',
  '4111111111111111',
  '4176660000000027',
  '4176660000000092',
  '4242424242424242',
  '4539981376123462',
  '5105105105105100',
  '5200000000001096',
  '5299910010000015',
  '5299990270000368',
  '5555555555554444',
  '6011000000000004',
]
const testBeginnings: readonly string[] = ['40000000000', '4000002760003184']

const explained: Readonly<Record<string, string>> = {
  'sha384-': 'checksum of a published script',
  iVBORw0KGgo: 'a picture of one point',
  'H4sIAAAAAAACA+3WwQrC': 'a small archive for a test',
  eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IngifQ: 'an answer of 3-D Secure with the id x',
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ': 'letters and digits in their order',
  whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw: 'the example of Standard Webhooks',
  whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX: 'the bytes 0 to 23',
  whsec_b2xkIHNlY3JldCBvZiAyNCBieXRl: 'the words "old secret of 24 bytes"',
  AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8: 'the bytes 0 to 31',
  'nToMTDymZ9EWNvOycw+z/EqOCmXx1Ccf7ywKpA/KDGy3GDOr1lI2H2W': 'a notice sealed under the bytes 0 to 31',
  'AbCdEfGhIjKlMnOpQrStUvWxYz-0123456789': 'letters and digits in their order',
  'EFghIjKlMnOpQrStUvWxYz_0123456789-abcd': 'letters and digits in their order',
  'thy4/U002quzxFav': 'a public signature of PayPal',
  '53Euh9Xu3UbUhQFX': 'a public signature of PayPal',
  '64Bh/ueWtt8EVuvs': 'a public signature of PayPal',
  vISs5QzgmBpauKr7: 'a public signature of PayPal',
  cmp_test_abcdefgh_0123456789abcdefghij: 'a key for a test of its form',
  'http://localhost:3000@evil.example': 'an address that is refused',
  'https://user:secret@shop.pt': 'an address that is refused',
  'https://me:secret@shop.example': 'an address that is refused',
  'http://u:secret@127.0.0.1': 'an address that is refused',
  'postgres://comporta:secret@db.example': 'the example of a setting',
  'smtps://user:password@smtp.example.com': 'the example of a setting',
  'smtps://a%40b:c%3Ad@mail.example.com': 'an address that is read in a test',
  'http://u:hidden@pay.example': 'an address that is refused',
}

export const skipped: readonly string[] = ['package-lock.json']

/** The reason why a text is not a secret; undefined without one. */
export function reasonFor(text: string): string | undefined {
  if (testCards.includes(text) || testBeginnings.some((beginning) => text.startsWith(beginning)))
    return 'a card for tests'
  return Object.entries(explained).find(([beginning]) => text.startsWith(beginning))?.[1]
}
