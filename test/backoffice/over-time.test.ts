// Expiry of waits, one-time links and used codes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPeople } from '../../src/backoffice/accounts/people.ts'
import { createKnownDevices } from '../../src/backoffice/accounts/sign-in/known-devices.ts'
import { createSignInLimits, type Try } from '../../src/backoffice/accounts/sign-in/sign-in-limits.ts'
import { takeCode } from '../../src/backoffice/accounts/sign-in/two-factor-codes.ts'
import { insertUser } from '../../src/backoffice/accounts/store.ts'
import { newId, systemRandomness } from '../../src/kernel/random.ts'
import { after, day, hour, type Instant, instant, minute, second } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'
import { keyring } from '../wallets/world.ts'

let database: Database
let now: Instant = instant(Date.UTC(2026, 0, 1))
const clock = { now: () => now }
const wait = (ms: number) => {
  now = after(now, ms)
}

beforeAll(async () => {
  database = await openTestDatabase('postgres')
})
afterAll(() => database?.close())

const limits = () => createSignInLimits({ database, keyring, clock })
const isJudged = async (tried: Try) => (await limits().begin(tried)) === undefined
const times = (count: number) => Array.from({ length: count }, (_, index) => index)

it('after five failures one try is judged each time a wait is over, and each wait is longer', async () => {
  const tried = { account: 'ana@example.com', address: '192.0.2.1' }
  for (const _ of times(5)) expect(await isJudged(tried)).toBe(true)
  for (const waitMs of [minute, 2 * minute, 4 * minute, 8 * minute]) {
    expect(await isJudged(tried)).toBe(false)
    wait(waitMs - second)
    expect(await isJudged(tried)).toBe(false)
    wait(second)
    const atOnce = await Promise.all(times(8).map(() => isJudged(tried)))
    expect(atOnce.filter(Boolean)).toHaveLength(1)
  }
  expect((await limits().begin(tried))?.kind).toBe('too_many_requests')
  wait(16 * minute)
  expect(await isJudged({ ...tried, account: ' ANA@example.com' })).toBe(true)
  await limits().succeeded(tried)
  for (const _ of times(5)) expect(await isJudged(tried)).toBe(true)
})

it('failures from other addresses cause no wait, up to a hundred', async () => {
  const account = 'known@example.com'
  for (const _ of times(8)) await limits().begin({ account, address: '198.51.100.1' })
  expect(await isJudged({ account, address: '198.51.100.1' })).toBe(false)
  expect(await isJudged({ account, address: '198.51.100.2' })).toBe(true)
  // The gateway has checked five tries from the first address and one from the second.
  for (const index of times(94)) expect(await isJudged({ account, address: `203.0.113.${index}` })).toBe(true)
  expect(await isJudged({ account, address: '198.51.100.3' })).toBe(false)
  const device = 'browser-of-the-owner'
  for (const _ of times(5)) expect(await isJudged({ account, address: '198.51.100.1', device })).toBe(true)
  expect(await isJudged({ account, address: '198.51.100.1', device })).toBe(false)
  expect(await isJudged({ account, address: '198.51.100.1', device: 'another' })).toBe(true)
  wait(minute)
  await limits().succeeded({ account, address: '198.51.100.4' })
  expect(await isJudged({ account, address: '198.51.100.4' })).toBe(true)
  expect(await isJudged({ account, address: '198.51.100.4' })).toBe(false)
})

it('a wait caused by others uses none of the person’s own tries', async () => {
  const account = 'flooded@example.com'
  const own = { account, address: '198.51.100.20' }
  for (const index of times(100)) await limits().begin({ account, address: `203.0.114.${index}` })
  for (const _ of times(6)) expect(await isJudged(own)).toBe(false)
  // A successful sign-in ends the wait for the account.
  await limits().succeeded({ account, address: '198.51.100.21' })
  expect(await isJudged(own)).toBe(true)
})

it('a person with the password has five tries at the code, from any address', async () => {
  const tries = times(6).map((index) => ({
    account: 'holder@example.com',
    address: `192.0.2.${index + 50}`,
    isHolder: true,
  }))
  const judged = []
  for (const tried of tries) judged.push(await isJudged(tried))
  expect(judged).toEqual([true, true, true, true, true, false])
  expect(await isJudged({ account: 'holder@example.com', address: '192.0.2.60' })).toBe(true)
})

it('an address that must wait locks nobody out of their account', async () => {
  const address = '192.0.2.9'
  for (const index of times(30)) await limits().begin({ account: `somebody-${index}@example.com`, address })
  for (const _ of times(9)) expect(await isJudged({ account: 'rui@example.com', address })).toBe(false)
  expect(await isJudged({ account: 'rui@example.com', address: '192.0.2.10' })).toBe(true)
})

it('a browser is known for half a year, and only to its own account', () => {
  const devices = createKnownDevices({
    keyring,
    clock,
    random: systemRandomness,
    baseUrl: 'https://pay.example',
  })
  const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? ''
  const first = devices.remember(undefined, 'Ana@example.com')
  expect(first).toMatch(
    /^__Host-comporta\.device=\S+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict; Secure$/,
  )
  const cookie = cookieOf(first)
  const id = devices.idOf(cookie, 'ana@example.com ')
  expect(id).toMatch(/^[\w-]{22}$/)
  expect([undefined, 'rui@example.com'].map((account) => devices.idOf(cookie, account))).toEqual([
    id,
    undefined,
  ])
  const second_ = cookieOf(devices.remember(`x=1; ${cookie}`, 'rui@example.com'))
  expect(['ana@example.com', 'rui@example.com'].map((account) => devices.idOf(second_, account))).toEqual([
    id,
    id,
  ])
  const [name, value = ''] = cookie.split('=')
  for (const forged of [
    value.replace(/^./, (first) => (first === 'x' ? 'y' : 'x')),
    value.replace(/.$/, '*'),
    '',
    '...',
    'a.b.9999999999.c',
  ]) {
    expect(devices.idOf(`${name}=${forged}`, undefined)).toBeUndefined()
  }
  expect(devices.idOf(cookie.replace('__Host-', ''), undefined)).toBeUndefined()
  let many = cookie
  for (const index of times(8)) many = cookieOf(devices.remember(many, `${index}@example.com`))
  expect(['ana@example.com', '7@example.com'].map((account) => devices.idOf(many, account))).toEqual([
    undefined,
    id,
  ])
  wait(180 * day)
  expect(devices.idOf(cookie, 'ana@example.com')).toBeUndefined()
})

it('links work to the last moment and not after it', async () => {
  const mail = { addAccountLink: async () => undefined }
  const people = createPeople({
    database,
    clock,
    random: systemRandomness,
    baseUrl: 'http://localhost',
    mail,
  })
  const operators = { walletId: undefined, role: undefined, invitedBy: undefined }
  const tokens = []
  for (const email of ['one@example.com', 'two@example.com']) {
    const made = await people.invite({ email, ...operators })
    tokens.push(made.ok ? made.value.url.split('#')[1] : undefined)
  }
  const [first = '', second_ = ''] = tokens
  const by = { tid: newId(now, systemRandomness), target: '/', address: '192.0.2.1' }
  const given = { name: 'Ana', password: 'four plain words here' }
  wait(7 * day - 1)
  expect(await people.join(first, given, by)).toEqual({ ok: true, value: 'one@example.com' })
  wait(1)
  expect(await people.join(second_, given, by)).toMatchObject({
    ok: false,
    refusal: { kind: 'illegal_state' },
  })
  const reset = await people.resetPassword('ONE@example.com')
  wait(2 * hour)
  const token = reset.ok ? (reset.value.url.split('#')[1] ?? '') : ''
  expect(await people.lookAt(token)).toMatchObject({ ok: false, refusal: { kind: 'illegal_state' } })
})

it('a code is taken by one of many at once, and again when it is another one of the same digits', async () => {
  const user = { id: 'codes', email: 'codes@example.com', name: 'C', hash: 'none' }
  await insertUser(database, user, now)
  const take = () => takeCode(database, clock, 'codes', '123456')
  const taken = await Promise.all(Array.from({ length: 8 }, take))
  expect(taken.filter(Boolean)).toHaveLength(1)
  wait(6 * minute)
  expect(await takeCode(database, clock, 'codes', '654321')).toBe(true)
  expect(await take()).toBe(true)
  expect(await take()).toBe(false)
})
