// Data of customers that a merchant sends.
import { describe, expect, it } from 'vitest'
import { readCustomer, type SentCustomer } from './rules.ts'

describe('the data of a customer', () => {
  it.each<[SentCustomer, unknown]>([
    [{}, {}],
    [{ name: ' Ana  Silva ' }, { name: 'Ana  Silva' }],
    [{ name: 'Ana\u202eavliS\nX' }, { name: 'Ana avliS X' }],
    [
      { name: '', email: null, phone: ' ' },
      { name: undefined, email: undefined, phone: undefined },
    ],
    [{ phone: '912 345 678' }, { phone: '+351912345678' }],
    [
      { ext_customerid: 'C-17', email: 'Ana@Example.com' },
      { extCustomerId: 'C-17', email: 'Ana@Example.com' },
    ],
  ])('%j is read', (sent, value) => {
    expect(readCustomer(sent)).toEqual({ ok: true, value })
  })

  it.each<[SentCustomer, string]>([
    [{ email: 'ana' }, 'email must be an e-mail address such as ana@example.com'],
    [{ email: 'a@b.example\r\nBcc: x@y.example' }, 'email must be an e-mail address such as ana@example.com'],
    [{ phone: '12' }, 'phone must be a phone number with + and its country code, such as +351911234567'],
  ])('%j is refused', (sent, reason) => {
    expect(readCustomer(sent)).toEqual({ ok: false, refusal: { kind: 'invalid_parameter', reason } })
  })
})
