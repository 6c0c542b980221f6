// Button queries, and their refusals without echo.
import { describe, expect, it } from 'vitest'
import { methods } from '../methods/list.ts'
import { type ButtonQuery, readButtonQuery } from './rules.ts'

const regular = { style: 'REGULAR', culture: 'PT', type: 'BUY', methods: [], format: 'svg', scale: 1 }

describe('reads', () => {
  it.each<[ButtonQuery, object]>([
    [{}, {}],
    [{ style: '', culture: '', type: '', methods: '', format: '', scale: '' }, {}],
    [{ style: 'dark' }, { style: 'DARK' }],
    [{ culture: 'En' }, { culture: 'EN' }],
    [{ type: ' purchase ' }, { type: 'PURCHASE' }],
    [{ methods: 'cc' }, { methods: ['CC'] }],
    [{ methods: 'MB,CC,MB, mbway ,' }, { methods: ['CC', 'MB', 'MBWAY'] }],
    [{ methods: 'GPAY,cc,apay' }, { methods: ['CC'] }],
    [{ methods: methods.toReversed().join() }, { methods: [...methods] }],
    [{ format: 'PNG' }, { format: 'png' }],
    [
      { format: 'png', scale: '2' },
      { format: 'png', scale: 2 },
    ],
    [{ scale: '2' }, { scale: 1 }],
  ])('%j', (query, meaning) => {
    expect(readButtonQuery(query)).toEqual({ ok: true, value: { ...regular, ...meaning } })
  })
})

const refusals = {
  style: 'style must be one of REGULAR, WHITE, LIGHT, DARK',
  culture: 'culture must be one of PT, EN',
  type: 'type must be one of BUY, CONFIRM, CONTINUE, PAYMENT, PURCHASE',
  methods: 'methods must be a comma list of CC, MB, MBWAY, PAYPAL, WALLET, SEPA, BANK',
  format: 'format must be one of svg, png',
  scale: 'scale must be one of 1, 2',
}

describe('refuses', () => {
  it.each(
    Object.entries(refusals).flatMap(([name, reason]) =>
      [
        '<script>',
        '"onload="alert(1)',
        'CC,',
        'WHITE DARK',
        '2x',
        '0',
        'x'.repeat(5000),
        '__proto__',
        'toString',
      ]
        .filter((text) => !(name === 'methods' && text === 'CC,'))
        .map((text) => [name, text, reason] as const),
    ),
  )('%s with an unknown word (%#)', (name, text, reason) => {
    expect(readButtonQuery({ [name]: text })).toEqual({
      ok: false,
      refusal: { kind: 'invalid_parameter', reason },
    })
  })
})
