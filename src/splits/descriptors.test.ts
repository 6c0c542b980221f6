// Split descriptors: accepted forms, and refusals with their field.
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { readDescriptors, resolveListed, resolveSplit, type SubMerchant } from './descriptors.ts'

const read = (value: unknown, whole = 1000) => readDescriptors(value, 'split', cents(whole))
const a = (fields: object = {}) => ({ merchant_wallet: 'a', ...fields })
const named = (id: string, fields: object = {}) => ({ merchant_wallet: id, ...fields })

function reasonOf(result: { ok: boolean; refusal?: { kind: string; reason: string } }): string {
  return result.ok ? 'accepted' : `${result.refusal?.kind}: ${result.refusal?.reason}`
}

function one(fields: object) {
  const result = read([a(fields)])
  if (!result.ok) throw new Error(result.refusal.reason)
  const [descriptor] = result.value
  return descriptor
}

describe('fractions', () => {
  it.each<[string, unknown[], string[]]>([
    ['the whole, for a single descriptor', [a()], ['1']],
    ['an amount', [a({ amount: '2.50' })], ['1/4']],
    ['the whole as an amount', [a({ amount: 10 })], ['1']],
    ['a fraction', [a({ amount_fraction: '2/3' })], ['2/3']],
    ['the whole as a fraction', [a({ amount_fraction: 1 })], ['1']],
    ['a fraction with space around it', [a({ amount_fraction: ' 0.6 ' })], ['3/5']],
    ['a number', [a({ amount_fraction: 0.5 })], ['1/2']],
    ['digits as written', [a({ amount_fraction: parse('0.1') })], ['1/10']],
    [
      'equal parts of the rest',
      [a({ amount: '1.00' }), named('b'), named('c', { amount_fraction: '1/2' }), named('d')],
      ['1/10', '1/5', '1/2', '1/5'],
    ],
    ['null like a missing field', [a({ amount: null, amount_fraction: '1/2' })], ['1/2']],
    [
      'less than the whole',
      [a({ amount: '0.01' }), named('b', { amount_fraction: '0.9' })],
      ['1/1000', '9/10'],
    ],
  ])('%s', (_, value, fractions) => {
    const result = read(value)
    expect(result.ok && result.value.map(({ fraction }) => fraction.toFraction())).toEqual(fractions)
  })

  it('each with its position, its wallet, its fees and its text', () => {
    expect(one({})).toEqual({
      field: 'split[0]',
      merchantWallet: 'a',
      fraction: expect.anything(),
      feeFixed: undefined,
      feeVariableBp: undefined,
      descr: undefined,
    })
    const most = 'x'.repeat(255)
    expect(one({ fee_fixed: '0.25', fee_variable: '0.0150', descr: most })).toMatchObject({
      feeFixed: 25n,
      feeVariableBp: 150,
      descr: most,
    })
    expect(one({ descr: '', fee_fixed: 0 })).toMatchObject({ descr: undefined, feeFixed: 0n })
    const second = read([a(), named('b')])
    expect(second.ok && second.value[1]).toMatchObject({ field: 'split[1]', merchantWallet: 'b' })
  })

  it.each([
    ['0', 0],
    ['1', 10_000],
    ['1.0000000', 10_000],
    ['0.1', 1000],
    ['0.0001', 1],
    [0.25, 2500],
    [parse('0.0500'), 500],
  ])('a variable fee of %s is %i basis points', (fee_variable, basisPoints) => {
    expect(one({ fee_variable })?.feeVariableBp).toBe(basisPoints)
  })

  it('of a hundred wallets, and not more', () => {
    const many = (count: number) => read(Array.from({ length: count }, (_, index) => named(String(index))))
    expect(many(100).ok).toBe(true)
    expect(reasonOf(many(101))).toBe('invalid_split: split must hold 1 to 100 descriptors')
  })
})

const fractionRule = 'split[0].amount_fraction must be above 0 and at most 1'
const feeRule = 'split[0].fee_variable must be from 0 to 1, with at most 4 decimals'
const descrRule = 'split[0].descr must be a text of at most 255 characters'
const objectRule = 'split[0] must be a split descriptor with a merchant_wallet'

describe('refused with its field', () => {
  it.each<[unknown, string]>([
    [undefined, 'split must be an array of split descriptors'],
    [a(), 'split must be an array of split descriptors'],
    [[], 'split must hold 1 to 100 descriptors'],
    [['a'], objectRule],
    [[null], objectRule],
    [[[a()]], objectRule],
    [[{}], 'split[0].merchant_wallet is required'],
    [[{ merchant_wallet: null }], 'split[0].merchant_wallet is required'],
    [[{ merchant_wallet: 7 }], 'split[0].merchant_wallet must be the public id of a wallet'],
    [[named('b'), a(), a()], 'split[2].merchant_wallet must be named once: see split[1]'],
    [[a({ amount: 1, amount_fraction: 0.1 })], 'split[0] must have amount or amount_fraction, not both'],
    [[a({ amount: '1.234' })], 'split[0].amount'],
    [[a({ amount: 0 })], 'split[0].amount must be from 0.01 to 10.00'],
    [[a({ amount: '10.01' })], 'split[0].amount must be from 0.01 to 10.00'],
    [[a({ amount: -1 })], 'split[0].amount must be from 0.01 to 10.00'],
    [[a({ amount_fraction: 0 })], fractionRule],
    [[a({ amount_fraction: '1.01' })], fractionRule],
    [[a({ amount_fraction: 'half' })], fractionRule],
    [[a({ amount_fraction: true })], fractionRule],
    [[a({ fee_fixed: '-0.01' })], 'split[0].fee_fixed must not be negative'],
    [[a({ fee_fixed: 'much' })], 'split[0].fee_fixed'],
    [[a({ fee_variable: '1.0001' })], feeRule],
    [[a({ fee_variable: '0.00001' })], feeRule],
    [[a({ fee_variable: '-0.1' })], feeRule],
    [[a({ fee_variable: '0.1x' })], feeRule],
    [[a({ fee_variable: 'x0.1' })], feeRule],
    [[a({ fee_variable: '.1' })], feeRule],
    [[a({ fee_variable: {} })], feeRule],
    [[a({ descr: 7 })], descrRule],
    [[a({ descr: 'x'.repeat(256) })], descrRule],
    [
      [a({ amount_fraction: '0.6' }), named('b', { amount_fraction: '0.5' })],
      'split must not total more than the whole: the total is 11/10',
    ],
    [[a(), named('b', { amount: 10 })], 'split[0] must have an amount: the others leave nothing'],
  ])('%j: %s', (value, reason) => {
    expect(reasonOf(read(value))).toContain(`invalid_split: ${reason}`)
  })
})

describe('wallets that are looked up', () => {
  const wallet = (id: bigint, publicId: string, kind: SubMerchant['kind'] = 'merchant'): SubMerchant => ({
    id,
    publicId,
    kind,
    splitFeeFixed: cents(5),
    splitFeeVariableBp: 100,
  })
  const wallets = [wallet(1n, 'owner'), wallet(2n, 'a'), wallet(3n, 'b'), wallet(4n, 'person', 'consumer')]
  const find = async (publicId: string) => wallets.find((each) => each.publicId === publicId)
  const asked = { field: 'split', amount: cents(1000), leastNet: cents(900), ownerId: 1n }
  const split = (...value: unknown[]) => resolveSplit({ ...asked, value }, find)

  it('have their own fees by default', async () => {
    const result = await split(
      a({ amount: 5, descr: 'rent' }),
      named('b', { fee_fixed: 0, fee_variable: 0, amount_fraction: 0.25 }),
    )
    expect(result.ok && result.value).toMatchObject([
      { walletId: 2n, publicId: 'a', feeFixed: 5n, feeVariableBp: 100, descr: 'rent' },
      { walletId: 3n, publicId: 'b', feeFixed: 0n, feeVariableBp: 0, descr: undefined },
    ])
  })

  it.each([
    ['nobody', "split[0].merchant_wallet must be the public id of a merchant's wallet"],
    ['person', "split[0].merchant_wallet must be the public id of a merchant's wallet"],
    ['owner', 'split[0].merchant_wallet must not be the wallet that splits'],
  ])('%s: %s', async (id, reason) => {
    expect(reasonOf(await split(named(id)))).toBe(`invalid_split: ${reason}`)
  })

  it('pay no more fees than they get, and need valid descriptions', async () => {
    expect(reasonOf(await split(a({ fee_fixed: '9.50' })))).toContain('invalid_split: split[0]')
    expect(reasonOf(await split(a({ fee_fixed: '8.91', fee_variable: 0 })))).toBe('accepted')
    expect(reasonOf(await split())).toContain('split must hold')
  })

  it('can be any wallets in the list of a refund', async () => {
    const listed = (value: unknown) => resolveListed(value, cents(1000), find)
    expect(await listed([])).toEqual({ ok: true, value: [] })
    const found = await listed([named('person'), a({ amount: 1 })])
    expect(
      found.ok && found.value.map(({ walletId, fraction }) => [walletId, fraction.toFraction()]),
    ).toEqual([
      [4n, '9/10'],
      [2n, '1/10'],
    ])
    expect(reasonOf(await listed([named('nobody')]))).toBe(
      'invalid_split: split[0].merchant_wallet must be a wallet that has a share',
    )
    expect(reasonOf(await listed('all'))).toContain('must be an array')
  })
})
