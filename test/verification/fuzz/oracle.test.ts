// The oracle reports each wrong answer.
import { expect, it } from 'vitest'
import type { Route } from './gateway.ts'
import type { Known } from './known.ts'
import { faultsOf, isSlow } from './oracle.ts'
import { injectedHeader, mark } from './values.ts'

const route: Route = {
  method: 'GET',
  url: '/api/v2/operations/:id',
  isOpen: false,
  page: false,
  waits: false,
}
const request = { method: 'GET', target: '/api/v2/operations/1', headers: [] }
const known: Known = {
  valueOf: () => undefined,
  headersOf: (caller) => (caller === 'other key' ? [['authorization', 'Comporta theirs']] : []),
  secrets: ['whsec_theirs'],
  foreign: ['01a2-foreign'],
  signIn: async () => undefined,
}
const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json'
const html = 'HTTP/1.1 200 OK\r\ncontent-type: text/html'
const refusal = JSON.stringify({ code: 10004, message: 'm', reason: 'r', link: 'l', tid: 't' })

it.each([
  ['a value', 200, json, '{"id":1}', undefined],
  ['a refusal', 404, json, refusal, undefined],
  ['no answer', 0, '', '', 'there was no answer'],
  ['a bug', 500, json, refusal, 'status 500'],
  ['a refusal that lacks a field', 404, json, '{"code":10004}', 'a refusal without its fields'],
  ['a refusal as a page', 404, html, refusal, 'a refusal that is not JSON'],
  ['a stack', 400, json, `${refusal}\n    at read (/srv/a.ts:3:4)`, 'the answer shows the program'],
  [
    'an error of the database',
    200,
    json,
    '{"a":"invalid input syntax for type uuid"}',
    'the answer shows the program',
  ],
  ['a secret', 200, json, '{"a":"whsec_theirs"}', "another merchant's whsec_theirs"],
  ['an id of another merchant', 200, json, '{"id":"01a2-foreign"}', "another merchant's 01a2-foreign"],
  ['a header from a value', 200, `${json}\r\n${injectedHeader}: 1`, '{}', 'a value became a header'],
  ['a tag from a value', 200, html, `<p>${mark}`, 'a value became a tag'],
])('%s', (_, status, head, body, fault) => {
  const faults = faultsOf(route, request, { status, head, body, milliseconds: 1 }, known).join('; ')
  if (fault === undefined) expect(faults).toBe('')
  else expect(faults).toContain(fault)
})

it('more than two seconds are slow, except for routes that wait on purpose', () => {
  const answer = { status: 200, head: '', body: '', milliseconds: 2_001 }
  expect(isSlow(route, answer)).toBe(true)
  expect(isSlow(route, { ...answer, milliseconds: 2_000 })).toBe(false)
  expect(isSlow({ ...route, waits: true }, answer)).toBe(false)
})
