// Content of the timeline.
import { expect, it } from 'vitest'
import { shownBody, shownHeaders } from './shown.ts'

const cipher = `${'a'.repeat(80)}..${'b'.repeat(16)}.${'c'.repeat(40)}.${'d'.repeat(22)}`

it('tells whose key it was, and not the key', () => {
  const keys = { auth_scheme: 'Comporta', api_key: 'cmp_test_AbCdEfGh_secret' }
  const sent = { 'proxy-authorization': 'ESBToken=secret', 'idempotency-key': '4f81' }
  expect(shownHeaders(new Headers(sent), keys)).toEqual([
    'Authorization: Comporta cmp_test_AbCdEfGh_••••••••',
    'Proxy-Authorization: ESBToken=••••••••',
    'Idempotency-Key: 4f81',
  ])
  expect(shownHeaders(new Headers(), keys)).toHaveLength(1)
})

it('shortens ciphertext, and shows other text in full', () => {
  const shown = shownBody({ amount: 10, newCardSecure: { number: cipher, email: 'ana@exemplo.pt' } })
  expect(JSON.parse(shown)).toEqual({
    amount: 10,
    newCardSecure: { number: `${'a'.repeat(20)}… (${cipher.length})`, email: 'ana@exemplo.pt' },
  })
})

it('cuts what is long', () => {
  expect(shownBody({ notes: 'x'.repeat(5000) })).toHaveLength(2401)
})
