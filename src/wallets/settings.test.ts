// The settings of a merchant: accepted values and refusals.
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { checkSettings, type SettingsChanges } from './settings.ts'

type Changes = Partial<Record<keyof SettingsChanges, unknown>>
const check = (changes: Changes, mode: 'sandbox' | 'production' = 'sandbox') =>
  checkSettings(changes as SettingsChanges, mode)

describe('settings', () => {
  it.each<[Changes, Changes]>([
    [{ name: '  Padaria São João ' }, { name: 'Padaria São João' }],
    [{ email: ' loja@exemplo.pt' }, { email: 'loja@exemplo.pt' }],
    [{ phone: '+351 911 234 567' }, { phone: '+351911234567' }],
    [
      { phone: null, iban: null },
      { phone: null, iban: null },
    ],
    [{ iban: 'pt50 0002 0123 1234 5678 9015 4' }, { iban: 'PT50000201231234567890154' }],
    [{ rights: ['marketplace', 'partner', 'partner'] }, { rights: ['partner', 'marketplace'] }],
    [{ methods: ['MB', 'CC'] }, { methods: ['CC', 'MB'] }],
    [{ methods: [] }, { methods: [] }],
    [{ callbackUrl: 'HTTP://localhost:3000' }, { callbackUrl: 'http://localhost:3000/' }],
    [
      { callbackUrl: null, cardCallbackUrl: null },
      { callbackUrl: null, cardCallbackUrl: null },
    ],
    [
      { secureFieldOrigins: ['https://shop.example/', 'https://shop.example'] },
      { secureFieldOrigins: ['https://shop.example'] },
    ],
    [
      { splitFeeFixed: cents(30), splitFeeVariableBp: 10_000 },
      { splitFeeFixed: cents(30), splitFeeVariableBp: 10_000 },
    ],
    [{}, {}],
  ])('%o is kept as %o', (changes, kept) => {
    expect(check(changes)).toEqual({ ok: true, value: kept })
  })

  it.each<[Changes, RegExp]>([
    [{ name: ' ' }, /^name must have 1 to 100 characters/],
    [{ name: 'a'.repeat(101) }, /^name must/],
    [{ name: 'a\nb' }, /^name must/],
    [{ name: 'a\u0000b' }, /^name must/],
    [{ email: 'nobody' }, /^email must be an address/],
    [{ email: 'a\u0000@b.pt' }, /^email must/],
    [{ email: 'a@b@c' }, /^email must/],
    [{ email: `${'a'.repeat(100)}@b.pt` }, /^email must/],
    [{ phone: '911234567' }, /^phone must be an international number/],
    [{ phone: '+1' }, /^phone must/],
    [{ iban: 'PT50000201231234567890155' }, /^iban must be a valid IBAN/],
    [{ rights: ['admin'] }, /^rights may hold partner, pci_dss, marketplace; not "admin"/],
    [{ methods: ['GPAY'] }, /^methods may hold CC, MB.* not "GPAY"/],
    [{ callbackUrl: 'shop.example/callback' }, /^callback_url must be an absolute http or https address/],
    [{ callbackUrl: 'ftp://shop.example' }, /^callback_url must/],
    [{ callbackUrl: 'https://me:secret@shop.example' }, /^callback_url must .* without user name/],
    [{ callbackUrl: 'https://:secret@shop.example' }, /^callback_url must .* without user name/],
    [{ callbackUrl: `https://shop.example/${'a'.repeat(2000)}` }, /^callback_url must/],
    [{ cardCallbackUrl: '' }, /^card_callback_url must/],
    [{ secureFieldOrigins: ['https://shop.example/pay'] }, /^secure_field_origins holds origins/],
    [{ secureFieldOrigins: ['*'] }, /^secure_field_origins holds origins/],
    [{ splitFeeFixed: cents(-1) }, /^split_fee_fixed must/],
    [{ splitFeeVariableBp: 10_001 }, /^split_fee_variable must/],
    [{ splitFeeVariableBp: 0.5 }, /^split_fee_variable must/],
  ])('rejects %o', (changes, words) => {
    const result = check(changes)
    expect(result).toMatchObject({ ok: false, refusal: { kind: 'invalid_parameter' } })
    expect(result.ok ? '' : result.refusal.reason).toMatch(words)
  })

  it('accepts only https addresses in production', () => {
    expect(check({ callbackUrl: 'http://shop.example' }, 'production')).toMatchObject({ ok: false })
    expect(check({ callbackUrl: 'https://shop.example' }, 'production')).toMatchObject({ ok: true })
  })
})
