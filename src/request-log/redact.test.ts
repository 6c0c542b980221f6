// Redaction: useful for debugging, useless for a thief.
import { describe, expect, it } from 'vitest'
import { redactedJson, redactedPath } from './redact.ts'

const card = '4176660000000027'

describe('a body is written down without', () => {
  it.each<[string, unknown, unknown]>([
    [
      'card data',
      { newCard: { number: card, vcode: '123' }, amount: 10 },
      { newCard: '[hidden]', amount: 10 },
    ],
    ['encrypted card data', { newCardSecure: { value: 'abc' } }, { newCardSecure: '[hidden]' }],
    [
      'an API key',
      { merchant: { apikey: 'cmp_test_x' }, api_key: 'y' },
      { merchant: { apikey: '[hidden]' }, api_key: '[hidden]' },
    ],
    ['the token of a card', { card: { token: 'A-B' } }, { card: { token: '[hidden]' } }],
    [
      'security codes under any name',
      { cvv: 1, CVC2: '2', vcode: '3', securityCode: 4, pin: '5' },
      { cvv: '[hidden]', CVC2: '[hidden]', vcode: '[hidden]', securityCode: '[hidden]', pin: '[hidden]' },
    ],
    [
      'secrets',
      { callback_secret: 's', password: 'p', client_secret: 'c' },
      { callback_secret: '[hidden]', password: '[hidden]', client_secret: '[hidden]' },
    ],
    [
      'a card number in any text',
      { notes: `card ${card}`, list: [card] },
      { notes: '[card number]', list: ['[card number]'] },
    ],
    ['a card number as a number', { ref: Number(card) }, { ref: '[card number]' }],
    ['a card number as a name', { [card]: 1 }, { '[card number]': 1 }],
  ])('%s', (_, body, shown) => {
    expect(JSON.parse(redactedJson(body) ?? '')).toEqual(shown)
  })
})

it('other data stays unchanged', () => {
  const body = {
    authorization: { amount: 10.5, currency: 'EUR', client: { name: 'Ana', phone: null } },
    url_confirm: 'https://shop.example/ok?order=4',
    request_id: '01900000-0000-7000-8000-00000000abcd',
    iban: 'PT50000201231234567890154',
    items: [{ qt: 1 }],
    token: '',
  }
  expect(JSON.parse(redactedJson(body) ?? '')).toEqual(body)
  expect(redactedJson(undefined)).toBeUndefined()
})

it('long bodies are cut', () => {
  expect(redactedJson({ text: 'x'.repeat(50_000) })).toHaveLength(8193)
})

describe('an address', () => {
  it.each([
    ['/api/v2/operations/:id', '/api/v2/operations/7', '/api/v2/operations/7'],
    ['/prows/v2/creditcard/:token', '/prows/v2/creditcard/A-B?x=1', '/prows/v2/creditcard/:token?x=1'],
    ['/api/v2/operations/:id', `/api/v2/operations/${card}`, '[card number]'],
    [
      '/api/v2/x',
      '/api/v2/x?token=abc&page=2&email=a%40b.pt',
      '/api/v2/x?token=[hidden]&page=2&email=a@b.pt',
    ],
    ['/api/v2/x', '/api/v2/x?x=a%00b', '/api/v2/x?x=a\ufffdb'],
    ['/api/v2/x', `/api/v2/x?q=${card}`, '/api/v2/x?q=[card number]'],
  ])('of %s, asked as %s', (route, url, shown) => {
    expect(redactedPath(route, url)).toBe(shown)
  })
})
