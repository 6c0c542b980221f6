// The sandbox's acquirer, on both databases.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandboxAcquirer } from '../../sandbox/acquirer/acquirer.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { instant, systemClock } from '../../src/kernel/time.ts'
import type { CardAcquirer, DeclineReason } from '../../src/rails/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { describeCardAcquirer } from './card-acquirer-conformance.ts'

const declined: readonly (readonly [string, DeclineReason])[] = [
  ['4000000000000002', 'do_not_honour'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'wrong_security_code'],
]
const selectFollowUps = statement<{ amount: bigint }>(
  'select amount from sandbox.authorizations where key = $1 and decline is null',
)

const selectHeld = statement<{ held: bigint }>(
  'select amount - captured - released as held from sandbox.authorizations where key = $1',
)

for (const kind of databaseKinds) {
  describeCardAcquirer(`the sandbox on ${kind}`, async () => {
    const database = await openTestDatabase(kind)
    const make = () => createSandboxAcquirer({ database, clock: systemClock, random: systemRandomness })
    return {
      acquirer: make(),
      cards: {
        approved: '4176660000000027',
        declined,
        silent: { approved: '4000000000000119', declined: '4000000000000259' },
        followUps: {
          declined: ['4000000000000341', 'do_not_honour'],
          silentThenApproved: '4000000000000119',
          silentThenDeclined: '4000000000000358',
        },
      },
      restarted: async () => make(),
      movements: async (key) => (await database.run(selectFollowUps, [key])).map(({ amount }) => amount),
      held: async (key) => (await database.run(selectHeld, [key]))[0]?.held ?? 0n,
      close: () => database.close(),
    }
  })
}

describe('the sandbox acquirer', () => {
  let database: Database
  let acquirer: CardAcquirer
  beforeAll(async () => {
    database = await openTestDatabase('pglite')
    const clock = { now: () => instant(Date.parse('2026-11-30T23:59:59Z')) }
    acquirer = createSandboxAcquirer({ database, clock, random: systemRandomness })
  })
  afterAll(() => database.close())

  const authorize = (number: string, expiry: { month: number; year: number }) =>
    acquirer.authorize({
      key: randomUUID(),
      merchant: { id: 1001n, name: 'Demo Shop' },
      amount: cents(1000),
      currency: 'EUR',
      intent: 'sale',
      card: { number, expiry, vcode: '987', name: 'Ana Sousa' },
    })

  it.each([
    '4176660000000027',
    '5299990270000368',
    '378282246310005',
    '4176660000000092',
    '5299910010000015',
    '4111111111111111',
  ])('approves %s', async (number) => {
    expect(await authorize(number, { month: 12, year: 2030 })).toMatchObject({ kind: 'approved' })
  })

  it('declines an expired card from the first day', async () => {
    const number = '4176660000000027'
    expect(await authorize(number, { month: 11, year: 2026 })).toMatchObject({ kind: 'approved' })
    expect(await authorize(number, { month: 10, year: 2026 })).toMatchObject({ decline: 'expired_card' })
  })

  it('stores neither number nor security code nor name', async () => {
    const rows = await database.run(
      statement<{ row: string }>(
        'select row_to_json(authorizations)::text as row from sandbox.authorizations',
      ),
    )
    expect(rows.length).toBeGreaterThan(6)
    const text = rows.map(({ row }) => row).join('\n')
    expect(text).toContain('"last4":"1111"')
    expect(text).not.toMatch(/\b\d{15,16}\b|"987"|Ana|Sousa/)
  })
})
