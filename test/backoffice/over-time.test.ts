// What ends with time: waits after failed tries, one-time links, and the codes that were used.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPeople } from '../../src/backoffice/accounts/people.ts'
import { createSignInLimits } from '../../src/backoffice/accounts/sign-in/sign-in-limits.ts'
import { takeCode } from '../../src/backoffice/accounts/sign-in/two-factor-codes.ts'
import { insertUser } from '../../src/backoffice/accounts/store.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
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

it('after five failures one try is judged each time a wait is over, and each wait is longer', async () => {
  const limits = createSignInLimits({ database, keyring, clock })
  let tries = 0
  const judged = async () => (await limits.begin('ana@example.com', `192.0.2.${++tries}`)) === undefined
  for (let count = 0; count < 5; count++) expect(await judged()).toBe(true)
  for (const waitMs of [minute, 2 * minute, 4 * minute, 8 * minute]) {
    expect(await judged()).toBe(false)
    wait(waitMs - second)
    expect(await judged()).toBe(false)
    wait(second)
    const atOnce = await Promise.all(Array.from({ length: 8 }, judged))
    expect(atOnce.filter(Boolean)).toHaveLength(1)
  }
  expect((await limits.begin('ana@example.com', '192.0.2.1'))?.kind).toBe('too_many_requests')
  wait(16 * minute)
  expect(await judged()).toBe(true)
  await limits.succeeded('ana@example.com', '192.0.2.1')
  for (let count = 0; count < 5; count++) expect(await judged()).toBe(true)
})

it('an address that must wait locks nobody out of their account', async () => {
  const limits = createSignInLimits({ database, keyring, clock })
  for (let count = 0; count < 30; count++) await limits.begin(`somebody-${count}@example.com`, '192.0.2.9')
  for (let count = 0; count < 9; count++) {
    expect(await limits.begin('rui@example.com', '192.0.2.9')).toBeDefined()
  }
  expect(await limits.begin('rui@example.com', '192.0.2.10')).toBeUndefined()
})

it('links work to the last moment and not after it', async () => {
  const people = createPeople({ database, clock, random: systemRandomness, baseUrl: 'http://localhost' })
  const operators = { walletId: undefined, role: undefined, invitedBy: undefined }
  const tokens = []
  for (const email of ['one@example.com', 'two@example.com']) {
    const made = await people.invite({ email, ...operators })
    tokens.push(made.ok ? made.value.url.split('#')[1] : undefined)
  }
  const [first = '', second_ = ''] = tokens
  const given = { name: 'Ana', password: 'four plain words here' }
  wait(7 * day - 1)
  expect(await people.join(first, given)).toEqual({ ok: true, value: 'one@example.com' })
  wait(1)
  expect(await people.join(second_, given)).toMatchObject({ ok: false, refusal: { kind: 'illegal_state' } })
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
