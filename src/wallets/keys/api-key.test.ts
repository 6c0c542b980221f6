// The form of API keys and the refusal of each wrong form.
import { describe, expect, it } from 'vitest'
import { systemRandomness } from '../../kernel/random.ts'
import { mintApiKey, readApiKey } from './credentials.ts'

const { id, key } = mintApiKey('sandbox', systemRandomness)
const live = mintApiKey('production', systemRandomness).key
const swapped = key.slice(0, 20) + (key[20] === 'x' ? 'y' : 'x') + key.slice(21)

describe('an API key', () => {
  it('has the documented form', () => {
    expect(key).toMatch(/^cmp_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    expect(live).toMatch(/^cmp_live_/)
    expect(readApiKey(key, 'sandbox')).toEqual({ ok: true, value: id })
  })

  it('ends with the CRC-32 of the part before it', () => {
    expect(readApiKey('cmp_test_abcdefgh_0123456789abcdefghijABCDEFGHIJ011ldBnA', 'sandbox')).toEqual({
      ok: true,
      value: 'abcdefgh',
    })
  })

  it.each([
    ['empty', '', 'authentication_required'],
    ['a word', 'secret', 'authentication_required'],
    ['without its prefix', key.slice(9), 'authentication_required'],
    ['one letter short', key.slice(0, -1), 'authentication_required'],
    ['one letter long', `${key}0`, 'authentication_required'],
    ['with a line after it', `${key}\n`, 'authentication_required'],
    ['with a space before it', ` ${key}`, 'authentication_required'],
    ['with a letter outside base 62', `${key.slice(0, 20)}é${key.slice(21)}`, 'authentication_required'],
    ['of upper case', key.toUpperCase(), 'authentication_required'],
    ['of an unknown kind', key.replace('test', 'demo'), 'authentication_required'],
    ['very long', key.repeat(10_000), 'authentication_required'],
    ['with one letter changed', swapped, 'invalid_api_key'],
    ['of production', live, 'invalid_api_key'],
  ])('%s is refused', (_, presented, kind) => {
    expect(readApiKey(presented, 'sandbox')).toMatchObject({ ok: false, refusal: { kind } })
  })
})
