// Accepted web addresses of merchants.
import { describe, expect, it } from 'vitest'
import { asciiAddress, isEmailAddress, webAddress } from './web-address.ts'

describe('webAddress', () => {
  it.each([
    'https://shop.pt/ok',
    'http://127.0.0.1:3000/ok?x=%20',
    'HTTPS://shop.pt',
    'https://loja.pt/olá',
    'https://shop.pt/@ana?mail=a@b.pt#@',
  ])('accepts %s', (url) =>
    expect(webAddress(url, 'url_confirm', 'sandbox')).toEqual({ ok: true, value: url }),
  )

  it.each([
    'shop.pt/ok',
    '/ok',
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'https:shop.pt',
    'https://',
    'https://a b.pt',
    ' https://shop.pt',
    'https://user:secret@shop.pt',
    'https://user@shop.pt',
    'https://:secret@shop.pt',
    'https://@shop.pt',
    'https:///:secret@shop.pt',
    'https://:@shop.pt/ok',
    'https://shop.pt/\nSet-Cookie: x',
    'https://a;sandbox/',
    'https://*.pt/',
    "https://a'b.pt/",
    'https://a,b.pt/',
    `https://shop.pt/${'a'.repeat(2048)}`,
  ])('refuses %j', (url) => {
    expect(webAddress(url, 'url_confirm', 'sandbox')).toMatchObject({
      refusal: {
        kind: 'invalid_parameter',
        reason: expect.stringContaining('url_confirm must be an absolute'),
      },
    })
  })

  it('wants https in production', () => {
    expect(webAddress('http://shop.pt', 'url_cancel', 'production').ok).toBe(false)
    expect(webAddress('https://shop.pt', 'url_cancel', 'production').ok).toBe(true)
  })
})

it.each([
  ['https://shop.pt/ok?a=1#b', 'https://shop.pt/ok?a=1#b'],
  [
    'https://loja.pt/olá?preço=3€&checkoutid=C',
    'https://loja.pt/ol%C3%A1?pre%C3%A7o=3%E2%82%AC&checkoutid=C',
  ],
  ['https://пример.example/😀', 'https://xn--e1afmkfd.example/%F0%9F%98%80'],
  ['/secure/x', '/secure/x'],
])('a header can hold the address %s', (address, expected) => expect(asciiAddress(address)).toBe(expected))

it.each(['ana@example.com', 'o.neill+shop@sub.example.pt', 'joão@exemplo.pt', 'a@b.c'])('%s is one', (text) =>
  expect(isEmailAddress(text)).toBe(true),
)

it.each(['', 'ana', 'ana@', '@example.com', 'ana@example', 'ana@@example.com', 'ana silva@example.com'])(
  '%j is refused',
  (text) => expect(isEmailAddress(text)).toBe(false),
)

it.each(['<ana@example.com>', ' ana@example.com', 'ana@example.com\n', `${'a'.repeat(96)}@b.pt`])(
  '%j is not an e-mail address',
  (text) => expect(isEmailAddress(text)).toBe(false),
)
