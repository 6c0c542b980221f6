// Death during a refund of a bank reference: nothing is lost, and nothing is sent twice.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMortalWorld } from '../gateway-here.ts'
import { ibans } from '../money.ts'
import { type PaidReferences, paidReferences } from '../references-paid.ts'
import type { World } from '../world.ts'
import { kills } from './kills.ts'

let world: World
let references: PaidReferences

beforeAll(async () => {
  world = await startMortalWorld()
  references = paidReferences(world)
  await world.cli('merchant', 'set', world.shop.public_id, '--mb-refunds', 'on')
})
afterAll(() => world.stop())

const ana = { iban: ibans.paid, name: 'Ana Sousa' }
const balance = async () => Math.round(Number((await world.shop.get('/api/v2/balance')).body.balance) * 100)

async function killed(call: () => Promise<unknown>): Promise<void> {
  await Promise.allSettled([call(), world.crashed()])
  await world.restart()
}

async function completed(id: string): Promise<void> {
  await world.eventually(async () => {
    await world.advance('P1D')
    return (await world.operation(id)).status === 'COMPLETED'
  })
}

it.each(kills.referenceRefunds)('to a named account, killed at "%s" (%i)', async (point, count) => {
  const paid = await references.paid()
  const before = await balance()
  const asked = { ...ana, request_id: randomUUID() }
  await world.armCrash(point, count)
  await killed(() => references.refund(paid.id, asked))
  const { body } = await world.eventually(async () => {
    const answer = await references.refund(paid.id, asked)
    if (answer.status !== 200) await world.advance('PT1M')
    return answer.status === 200 && answer
  })
  expect(await references.refundsOf(paid.id)).toHaveLength(1)
  await completed(body.id)
  expect(await balance()).toBe(before - 1000)
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})

it.each(kills.refundPages)('named on its page, killed at "%s" (%i)', async (point, count) => {
  const paid = await references.paid()
  const before = await balance()
  const { body } = await references.refund(paid.id, {})
  await world.armCrash(point, count)
  const account = { iban: ibans.paid, holder: 'Ana Sousa' }
  await killed(() => references.name(body.refund_url, account))
  // The payer tries again: the page takes the account, or has it already.
  await references.name(body.refund_url, account).catch(() => undefined)
  await completed(body.id)
  expect(await balance()).toBe(before - 1000)
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})
