// Names, types and mappers that follow from a table's declaration.
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Cents, cents } from '../../kernel/money.ts'
import { type Instant, instant } from '../../kernel/time.ts'
import { column, type NewRowOf, type RowOf, type StoredRowOf, table } from './table.ts'

const samples = table(
  'samples',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    state: column.text<'OPEN' | 'DONE'>(),
    amount: column.cents(),
    threeDsId: column.uuid().optional(),
    extInvoiceId: column.text().named('ext_invoiceid').optional(),
    isLive: column.boolean().default(true),
    words: column.text().array(),
    excluded: column.json<readonly string[]>().optional().default([]),
    email: column.text().nullable(),
    fraction: column
      .text()
      .transformed(
        (text) => text.split('/').map(Number),
        (parts) => parts.join('/'),
      )
      .optional(),
    payer: column.embedded({ name: column.text(), iban: column.text().named('iban').optional() }),
    mb: column.embedded({ entity: column.text(), ref: column.text() }).optional(),
    createdAt: column.instant(),
  },
  { dueAt: column.instant().optional() },
)
type StoredSample = StoredRowOf<typeof samples>

const storedSample = {
  id: 'a',
  wallet_id: 7n,
  state: 'OPEN',
  amount: 1250n,
  three_ds_id: null,
  ext_invoiceid: null,
  is_live: false,
  words: ['x'],
  excluded: null,
  email: null,
  fraction: '1/3',
  payer_name: 'Zé',
  iban: null,
  mb_entity: null,
  mb_ref: null,
  created_at: instant(0),
  due_at: null,
} as unknown as StoredSample

const sample: RowOf<typeof samples> = {
  id: 'a',
  walletId: 7n,
  state: 'OPEN',
  amount: cents(1250),
  isLive: false,
  words: ['x'],
  excluded: [],
  email: null,
  fraction: [1, 3],
  payer: { name: 'Zé' },
  createdAt: instant(0),
}

describe('a declared table', () => {
  it('names its columns in snake_case, or as declared', () => {
    expect(samples.list()).toBe(
      'id, wallet_id, state, amount, three_ds_id, ext_invoiceid, is_live, words, excluded, email, fraction, ' +
        'payer_name, iban, mb_entity, mb_ref, created_at',
    )
    expect(samples.pick('id', 'dueAt').list('s')).toBe('s.id, s.due_at')
    expect(samples.pick('id', 'mb').placeholders(2)).toBe('$2, $3, $4')
    expect(samples.pick('id', 'mb').prefixed('s_').aliased('s')).toBe(
      's.id as s_id, s.mb_entity as s_mb_entity, s.mb_ref as s_mb_ref',
    )
  })

  it('has the SQL types for a row set', () => {
    expect(samples.pick('walletId', 'mb', 'createdAt').types).toEqual({
      wallet_id: 'bigint',
      mb_entity: 'text',
      mb_ref: 'text',
      created_at: 'timestamptz',
    })
  })

  it('reads a row of the database', () => {
    expect(samples.read(storedSample)).toEqual(sample)
    expect(samples.first([storedSample])).toEqual(sample)
    expect(samples.first([])).toBeUndefined()
  })

  it('reads an embedded object if its required columns are present', () => {
    const withReference = { ...storedSample, mb_entity: '11249', mb_ref: '123', iban: 'PT50' }
    expect(samples.read(withReference)).toEqual({
      ...sample,
      mb: { entity: '11249', ref: '123' },
      payer: { name: 'Zé', iban: 'PT50' },
    })
    expect(samples.read({ ...withReference, mb_ref: null } as never).mb).toBeUndefined()
  })

  it('writes a new row in the form of drivers and row sets', () => {
    const { isLive: _, ...withoutDefault } = sample
    expect(samples.whole.write({ ...withoutDefault, excluded: ['CC'], dueAt: instant(1000) })).toEqual({
      ...storedSample,
      is_live: true,
      excluded: '["CC"]',
      created_at: '1970-01-01T00:00:00.000Z',
      due_at: '1970-01-01T00:00:01.000Z',
    })
    const picked = samples.pick('id', 'mb', 'payer')
    expect(picked.values({ id: 'a', mb: { entity: '1', ref: '2' }, payer: { name: 'N' } })).toEqual([
      'a',
      'N',
      null,
      '1',
      '2',
    ])
    expect(picked.values({ id: 'a', payer: { name: 'N' } })).toEqual(['a', 'N', null, null, null])
  })

  it('reads and writes under other names', () => {
    const prefixed = samples.pick('id', 'mb').prefixed('s_')
    expect(prefixed.write({ id: 'a' })).toEqual({ s_id: 'a', s_mb_entity: null, s_mb_ref: null })
    expect(prefixed.read({ s_id: 'a', s_mb_entity: '1', s_mb_ref: '2' } as never)).toEqual({
      id: 'a',
      mb: { entity: '1', ref: '2' },
    })
  })

  it('shows nullability in the database', () => {
    const nullable = samples.schema.filter(({ isNullable }) => isNullable).map(({ name }) => name)
    expect(nullable).toEqual([
      'three_ds_id',
      'ext_invoiceid',
      'excluded',
      'email',
      'fraction',
      'iban',
      'mb_entity',
      'mb_ref',
      'due_at',
    ])
  })

  it('refuses invalid names', () => {
    expect(() => table('wrong', { 'a b': column.text() })).toThrow('a b')
    expect(() => table('wrong', { a: column.text().named('x; y') })).toThrow('x; y')
  })

  it('has the types of its fields', () => {
    type Sample = RowOf<typeof samples>
    expectTypeOf<Sample['amount']>().toEqualTypeOf<Cents>()
    expectTypeOf<Sample['threeDsId']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Sample['email']>().toEqualTypeOf<string | null>()
    expectTypeOf<Sample['isLive']>().toEqualTypeOf<boolean>()
    expectTypeOf<NewRowOf<typeof samples>['isLive']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Sample['mb']>().toEqualTypeOf<
      { readonly entity: string; readonly ref: string } | undefined
    >()
    expectTypeOf(samples.pick('createdAt').read).returns.toEqualTypeOf<{ readonly createdAt: Instant }>()
    expectTypeOf<keyof typeof samples.types>().toEqualTypeOf<
      | 'id'
      | 'wallet_id'
      | 'state'
      | 'amount'
      | 'three_ds_id'
      | 'ext_invoiceid'
      | 'is_live'
      | 'words'
      | 'excluded'
      | 'email'
      | 'fraction'
      | 'payer_name'
      | 'iban'
      | 'mb_entity'
      | 'mb_ref'
      | 'created_at'
    >()
  })
})
