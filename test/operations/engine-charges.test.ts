// The engine charges a subscription: it repeats the request, then gives it up.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { after, second } from '../../src/kernel/time.ts'
import { insertOperations } from '../../src/operations/for-movements.ts'
import type { NewOperation } from '../../src/operations/index.ts'
import { underApproval } from '../../src/operations/open/open.ts'
import type { RailAnswer } from '../../src/rails/index.ts'
import { statement } from '../../src/storage/index.ts'
import {
  approved,
  declined,
  type EngineWorld,
  notFound,
  openEngineWorld,
  unknownAnswer,
} from './engine-world.ts'

let world: EngineWorld
beforeAll(async () => {
  world = await openEngineWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.run(statement('delete from attempts'))
  world.scripted({})
})

const giveUp = statement(`
  insert into attempts (wallet_id, id, operation_id, type, method, state, given_up_at, due_at)
  select wallet_id, id, id, type, method, 'GIVEN_UP', created_at, created_at from operations where id = $1`)

const stopped = { kind: 'stopped', reason: 'subscription_ended' } as const

/** A charge with the rail's first `answer`. */
async function charge(answer: RailAnswer) {
  const opened = underApproval(world.payment({ subscriptionId: randomUUID() }))
  await insertOperations(world.database, [{ operation: opened, claim: undefined }])
  const told: unknown[] = []
  const decided = await world.engine.decide(opened, world.rail(answer), {
    since: opened.createdAt,
    extraEvents: async (...outcome) => {
      told.push(outcome)
      return []
    },
  })
  return { opened, decided, told }
}
const statusOf = async (operation: NewOperation) => {
  const { status, error } = await world.stored(operation)
  return [status, error]
}

it.each([
  [approved, 'settled', ['COMPLETED', undefined]],
  [declined, 'settled', ['FAIL', 'no_funds']],
] as const)('%o decides at once, and further events are asked for', async (answer, kind, outcome) => {
  const { decided, told, opened } = await charge(answer)
  expect([decided.kind, told]).toEqual([kind, [outcome]])
  expect(await world.counted('events', opened)).toBe(1)
})

it('is asked about, and sent again only if its rail has not received it', async () => {
  const { opened, decided } = await charge(unknownAnswer)
  expect(decided.kind).toBe('pending')
  world.scripted({ inquire: [unknownAnswer, notFound, notFound, approved], send: [unknownAnswer, notFound] })
  expect(await world.resolveAfter(10 * second)).toEqual(['inquire'])
  expect(await world.attempt(opened)).toEqual(['ASKED', 1, 10])
  expect(await world.resolveAfter(10 * second)).toEqual(['inquire', 'send'])
  expect(await world.attempt(opened)).toEqual(['ASKED', 2, 20])
  expect(await world.resolveAfter(20 * second)).toEqual(['inquire', 'send'])
  expect(await world.attempt(opened)).toEqual(['ASKED', 3, 40])
  expect(await world.resolveAfter(40 * second)).toEqual(['inquire'])
  expect(await statusOf(opened)).toEqual(['COMPLETED', undefined])
})

it('that its rail declines gives its reservation back', async () => {
  const { opened } = await charge(unknownAnswer)
  world.scripted({ inquire: [notFound], send: [declined] })
  expect(await world.resolveAfter(10 * second)).toEqual(['inquire', 'send', 'given up'])
  expect(await statusOf(opened)).toEqual(['FAIL', 'no_funds'])
  // If its lease has expired, its operation decides.
  expect(await world.attempt(opened)).toEqual(['ASKED', 1, 30])
})

it('with a decline that may arrive fails, and is asked about for another day', async () => {
  const { opened } = await charge(unknownAnswer)
  world.scripted({ inquire: [{ ...declined, mayArrive: true }] })
  expect(await world.resolveAfter(10 * second)).toEqual(['inquire', 'given up'])
  expect(await statusOf(opened)).toEqual(['FAIL', 'no_funds'])
  expect(await world.attempt(opened)).toEqual(['GIVEN_UP', 0, 60])
})

it('of an ended subscription is not sent, and fails when an earlier request can no longer arrive', async () => {
  const { opened } = await charge(unknownAnswer)
  world.scripted({ inquire: [notFound], send: [stopped], cancel: [notFound] })
  for (const seconds of [10, 10, 20]) {
    expect(await world.resolveAfter(seconds * second)).toEqual(['inquire', 'send'])
    expect(await statusOf(opened)).toEqual(['PENDING', undefined])
  }
  expect(await world.resolveAfter(40 * second)).toEqual(['inquire', 'send', 'cancel', 'given up', 'given up'])
  expect(await statusOf(opened)).toEqual(['FAIL', 'subscription_ended'])
  expect(await world.attempt(opened)).toEqual(['GIVEN_UP', 0, 60])
})

it.each([
  [300, ['inquire', 'send'], ['PENDING', undefined]],
  [301, ['inquire', 'cancel', 'given up', 'given up'], ['FAIL', 'rail_unavailable']],
])('that no rail has received is sent for about a day: at try %i %j', async (tries, asked, outcome) => {
  const { opened } = await charge(unknownAnswer)
  world.scripted({ inquire: [unknownAnswer] })
  await world.resolveAfter(10 * second)
  const due = [opened.id, tries - 1, new Date(after(world.now(), 0))]
  await world.database.run(statement('update attempts set tries = $2, due_at = $3 where id = $1'), due)
  world.scripted({ inquire: [notFound], send: [unknownAnswer], cancel: [notFound] })
  expect(await world.resolveAfter(0)).toEqual(asked)
  expect(await statusOf(opened)).toEqual(outcome)
})

it.each([
  [approved, 'COMPLETED'],
  [unknownAnswer, 'PENDING'],
] as const)('with the answer %o to its cancellation is that', async (answer, status) => {
  const { opened } = await charge(unknownAnswer)
  world.scripted({ inquire: [notFound], send: [stopped], cancel: [answer] })
  for (const seconds of [10, 10, 20, 40]) await world.resolveAfter(seconds * second)
  expect((await statusOf(opened))[0]).toBe(status)
  expect(await world.attempt(opened)).toEqual(status === 'PENDING' ? ['ASKED', 4, 80] : ['ASKED', 4, 30])
})

it('may be sent late after any number of inquiries', async () => {
  const opened = underApproval(world.payment({ subscriptionId: randomUUID() }))
  await insertOperations(world.database, [{ operation: opened, claim: undefined }])
  let beforeSend: boolean | undefined
  const rail = async (start: () => Promise<boolean>) => {
    await world.resolveAfter(10 * second)
    await world.database.run(statement('update attempts set tries = 9'))
    beforeSend = await start()
    return unknownAnswer
  }
  world.scripted({ inquire: [unknownAnswer] })
  await world.engine.decide(opened, rail, { since: opened.createdAt, extraEvents: async () => [] })
  expect([beforeSend, await world.attempt(opened)]).toEqual([true, ['ASKED', 0, 10]])
})

it('that was given up, but completed, keeps its reservation', async () => {
  const { opened } = await charge(approved)
  await world.database.run(giveUp, [opened.id])
  world.scripted({ inquire: [notFound] })
  expect(await world.resolveAfter(0)).toEqual(['inquire'])
})

it('that a process gave up before it died gives its reservation back, and fails', async () => {
  const { opened } = await charge(unknownAnswer)
  await world.database.run(giveUp, [opened.id])
  world.scripted({ inquire: [notFound] })
  expect(await world.resolveAfter(0)).toEqual(['given up', 'inquire'])
  expect(await statusOf(opened)).toEqual(['FAIL', 'rail_unavailable'])
})
