// Disputes of refunded payments. In any order of the reports, each amount is taken once.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents, sumOf } from '../../src/kernel/money.ts'
import type { Operation } from '../../src/operations/model.ts'
import { findChildren } from '../../src/operations/read/store.ts'
import { onDispute, onRefundFailed, type ReportedDeps } from '../../src/operations/refunds/reported.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { declaredChecks as operationChecks } from '../audit-checks.ts'
import { openSettleWorld, type SettleWorld } from './settle-world.ts'

let world: SettleWorld
let disputes = 0
beforeAll(async () => {
  world = await openSettleWorld()
})
afterAll(() => world.close())

const deps = (database: Database): ReportedDeps => ({
  ...world.deps,
  database,
  settle: world.settleAlone,
  engine: { inquire: async () => undefined },
  onError: () => undefined,
})

/** A hold that was captured in these amounts (cents). */
async function captured(amounts: readonly number[]): Promise<{ hold: Operation; captures: Operation[] }> {
  const owner = world.wallet()
  await world.run(
    `insert into wallets (id, public_id, kind, name, email, callback_user, callback_secret_sealed, callback_signing_sealed,
        created_at, modified_at)
     overriding system value values ($1, $2, 'merchant', 'Shop', 'shop@example.com', $2, '\\x00', '\\x00', now(), now())`,
    ...[owner.id, owner.publicId],
  )
  const hold = await world.complete(await world.opened(owner, { type: 'AUTH', amount: cents(5_000) }))
  const captures: Operation[] = []
  for (const amount of amounts) {
    const capture = await world.child(hold, 'CAPTURE', amount)
    captures.push(await world.complete(capture))
  }
  return { hold, captures }
}

const refund = async (payment: Operation, amount: number) =>
  world.complete(await world.child(payment, 'REFUND', -amount))

/** The amount that a wallet lost by disputes of these payments, in cents, and the number of operations. */
async function borne(payments: readonly Operation[]): Promise<{ lost: bigint; count: number }> {
  const moved: Operation[] = []
  for (const payment of payments)
    for (const withdrawal of await findChildren(world.database, payment, 'REFUND'))
      if (withdrawal.channel === 'RAIL')
        moved.push(withdrawal, ...(await findChildren(world.database, withdrawal, 'REFUND')))
  return { lost: -sumOf(moved.map(({ amount }) => amount)), count: moved.length }
}

const story = fc.record({
  amounts: fc.array(fc.integer({ min: 500, max: 1_500 }), { minLength: 1, maxLength: 3 }),
  refunds: fc.array(
    fc.record({ of: fc.nat(2), part: fc.double({ min: 0.05, max: 1, noNaN: true }), fails: fc.boolean() }),
    { maxLength: 3 },
  ),
  first: fc.double({ min: 0.05, max: 1, noNaN: true }),
  all: fc.double({ min: 0.05, max: 1, noNaN: true }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  won: fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0.05, max: 1, noNaN: true })),
  order: fc.array(fc.nat(99), { minLength: 3, maxLength: 9 }),
})

it("takes the provider's net amount, or the whole rest, for any order of notices and failures", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ amounts, refunds, first, all, part: share, won, order }) => {
      const { hold, captures } = await captured(amounts)
      const failing: Operation[] = []
      let standing = 0
      const left = [...amounts]
      for (const { of, part, fails } of refunds) {
        const index = of % captures.length
        const amount = Math.floor((left[index] ?? 0) * part)
        if (amount === 0) continue
        left[index] = (left[index] ?? 0) - amount
        const made = await refund(captures[index] as Operation, amount)
        if (fails) failing.push(made)
        else standing += amount
      }
      const total = amounts.reduce((sum, one) => sum + one, 0)
      const withdrawn = Math.max(1, Math.floor(total * all))
      const kept = withdrawn - Math.floor(withdrawn * won)
      const dispute = { id: `dp-${disputes++}`, key: hold.id, reason: 'fraudulent' }
      const says = (taken: number, given: number) =>
        onDispute(deps(world.database), { ...dispute, withdrawn: cents(taken), reinstated: cents(given) })
      const steps = [
        () => says(Math.max(1, Math.floor(withdrawn * first)), 0),
        () => says(withdrawn, 0),
        () => says(withdrawn, Math.floor((withdrawn - kept) * share)),
        () => says(withdrawn, withdrawn - kept),
        ...failing.map(
          ({ id: key }) =>
            () =>
              onRefundFailed(deps(world.database), { key, reason: 'closed' }),
        ),
      ]
      for (const step of order) await steps[step % steps.length]?.()
      for (const step of steps) await step()
      const { lost, count } = await borne(captures)
      expect(lost).toBe(BigInt(Math.min(kept, total - standing)))
      // Repeats each step, which must change nothing.
      for (const step of steps) await step()
      expect(await borne(captures)).toEqual({ lost, count })
    }),
    { numRuns: 60 },
  )
})

it('is the amount that the audit expects', async () => {
  const looked = await Promise.all(operationChecks.map((check) => check.run(world.database)))
  const about = new Set(['disputes_are_borne_or_lack_it', 'what_rails_took_is_withdrawn_when_it_comes_back'])
  const findings = looked.flatMap((one) => one.findings.filter(({ check }) => about.has(check)))
  expect(findings).toEqual([])
  expect(await world.count('rail_shortfalls')).toBeGreaterThan(0)
})

it('takes nothing for an old notice of a won dispute', async () => {
  const { hold, captures } = await captured([1_000])
  const dispute = { id: 'dp-before', key: hold.id, reason: 'fraudulent' }
  const says = (taken: number, given: number) =>
    onDispute(deps(world.database), { ...dispute, withdrawn: cents(taken), reinstated: cents(given) })
  await says(1_000, 0)
  await says(1_000, 1_000)
  await world.run('delete from rail_shortfalls where operation_id = $1', hold.id)
  for (const taken of [600, 1_000, 1_000]) await says(taken, 0)
  expect(await borne(captures)).toEqual({ lost: 0n, count: 2 })
  const noted = statement<{ withdrawn: bigint; missing: bigint }>(
    'select withdrawn, missing from rail_shortfalls where operation_id = $1',
  )
  expect(await world.database.run(noted, [hold.id])).toEqual([{ withdrawn: 1_000n, missing: 0n }])
})

it('claws back the returns of two captures once, during a notice', async () => {
  const { hold } = await captured([1_000, 1_000])
  // Sorts the captures in the order in which a dispute takes from them.
  const captures = await findChildren(world.database, hold, 'CAPTURE')
  const refunds: Operation[] = []
  for (const capture of captures) refunds.push(await refund(capture, 1_000))
  const dispute = {
    id: 'dp-race',
    key: hold.id,
    withdrawn: cents(1_000),
    reinstated: cents(0),
    reason: 'lost',
  }
  await onDispute(deps(world.database), dispute)
  const url = world.databaseUrl
  const others = Array.from({ length: 3 }, () => openPostgres({ url }))
  const [holder, first, again] = others as [Database, Database, Database]
  const failed = (database: Database, one: Operation | undefined) =>
    onRefundFailed(deps(database), { key: one?.id ?? '', reason: 'closed' })
  let started: Promise<unknown> = Promise.resolve()
  // Locks the first capture for a moment, so that both disputes wait for it.
  await holder.transaction(async (tx) => {
    await tx.run(statement('select from operations where wallet_id = $1 and id = $2 for update'), [
      captures[0]?.walletId,
      captures[0]?.id,
    ])
    const failing = failed(first, refunds[0])
    await waiting(holder, 1)
    const repeated = onDispute(deps(again), dispute)
    await waiting(holder, 2)
    started = Promise.all([failing, repeated])
    await failed(world.database, refunds[1])
  })
  await started
  expect(await borne(captures)).toMatchObject({ lost: 1_000n })
  await Promise.all(others.map((one) => one.close()))
})

/** Waits until `count` sessions of this database wait for a lock. */
async function waiting(database: Database, count: number): Promise<void> {
  const sessions = statement<{ waiting: bigint }>(`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  await expect
    .poll(async () => Number((await database.run(sessions))[0]?.waiting))
    .toBeGreaterThanOrEqual(count)
}
