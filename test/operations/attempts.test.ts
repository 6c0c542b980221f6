// Attempts move only from their current state: late or repeated writes change nothing.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { after, instant, minute, systemClock, toTimestamp } from '../../src/kernel/time.ts'
import {
  addDetails,
  finishAttempt,
  insertAttempt,
  markWithdrawn,
  postponeInquiry,
  recordAsked,
  recordStep,
  removeDetail,
  renewCall,
} from '../../src/operations/attempts/customers/store.ts'
import type { Attempt, CustomerAttempt } from '../../src/operations/attempts/model.ts'
import {
  endAttempt,
  markGivenUp,
  postponeAttempt,
  recordLateApproval,
  renewAttempt,
  writeDueAttempts,
} from '../../src/operations/attempts/store.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'

const walletId = 1001n
const now = instant(Math.floor(systemClock.now() / 1000) * 1000)
const later = after(now, minute)

let database: Database
beforeAll(async () => {
  database = await openTestDatabase('pglite')
})
afterAll(() => database.close())

type State = 'OPEN' | 'ASKED' | 'APPROVED' | 'DECLINED' | 'GIVEN_UP' | 'CLOSED' | 'TO_REVERSE' | 'REVERSED'
const dueStates: readonly State[] = ['OPEN', 'ASKED', 'GIVEN_UP', 'TO_REVERSE']

interface AttemptOptions {
  readonly step?: string
  readonly operationId?: string
  readonly tries?: number
  readonly withdrawn?: boolean
  readonly expired?: boolean
}

async function attemptIn(state: State, options: AttemptOptions = {}): Promise<CustomerAttempt> {
  const [key, operationId, pageToken] = [randomUUID(), options.operationId ?? randomUUID(), randomUUID()]
  const details = { step: options.step ?? 'FIRST', secret: 'x' }
  await database.run(
    statement(`
      insert into attempts (wallet_id, id, operation_id, type, method, state, owner, page_token, amount, currency,
        merchant_name, details, created_at, modified_at, due_at, failure, given_up_at, tries, withdrawn_at, expires_at)
      values ($1, $2, $3, 'PAYMENT', 'CC', $4, 'checkout', $5, 1000, 'EUR', 'Shop', $6, $7, $7, $8, $9, $7, $10, $11,
        $12)`),
    [
      walletId,
      key,
      operationId,
      state,
      pageToken,
      JSON.stringify(details),
      toTimestamp(now),
      dueStates.includes(state) ? toTimestamp(now) : null,
      ['OPEN', 'ASKED', 'APPROVED'].includes(state) ? null : 'refused',
      options.tries ?? 0,
      options.withdrawn ? toTimestamp(now) : null,
      options.expired === undefined ? null : toTimestamp(options.expired ? now : later),
    ],
  )
  const own = {
    owner: 'checkout',
    pageToken,
    amount: cents(1000),
    currency: 'EUR',
    merchantName: 'Shop',
    details,
  }
  const times = { createdAt: now, modifiedAt: now }
  return {
    walletId,
    key,
    operationId,
    type: 'PAYMENT',
    method: 'CC',
    state,
    tries: 0,
    ...own,
    ...times,
  } as never
}

interface Row {
  readonly state: string
  readonly tries: number
  readonly due_at: Date | null
  readonly details: Record<string, unknown>
}

async function rowOf({ key }: Pick<Attempt, 'key'>): Promise<Row | undefined> {
  return (await database.run(statement<Row>('select * from attempts where id = $1'), [key]))[0]
}

const isDue = async (attempt: Attempt, at: number) => (await rowOf(attempt))?.due_at?.valueOf() === at

describe('a customer’s attempt', () => {
  it.each([
    ['OPEN', true],
    ['ASKED', false],
    ['DECLINED', false],
  ] as const)('that is %s becomes ASKED: %s', async (state, moves) => {
    const attempt = await attemptIn(state)
    expect(await recordAsked(database, attempt, now, later)).toBe(moves)
    expect((await rowOf(attempt))?.state).toBe(moves ? 'ASKED' : state)
  })

  it.each([
    ['ASKED', 'ASKED', 'APPROVED', true],
    ['ASKED', 'GIVEN_UP', 'APPROVED', true],
    ['ASKED', 'DECLINED', 'APPROVED', false],
    ['ASKED', 'ASKED', 'DECLINED', true],
    ['ASKED', 'GIVEN_UP', 'DECLINED', false],
    ['ASKED', 'APPROVED', 'DECLINED', false],
    ['OPEN', 'ASKED', 'ABANDONED', false],
  ] as const)('that was %s and is %s ends %s: %s', async (seen, is, end, moves) => {
    const attempt = { ...(await attemptIn(is)), state: seen }
    const failure = end === 'APPROVED' ? undefined : 'refused'
    expect(await finishAttempt(database, attempt, { state: end, failure }, now)).toBe(moves)
    expect((await rowOf(attempt))?.state).toBe(moves ? end : is)
  })

  it('is not ended by a process that read it at an earlier step', async () => {
    const attempt = await attemptIn('OPEN', { step: 'SECOND' })
    const seen = { ...attempt, details: { step: 'FIRST' } }
    const end = { state: 'DECLINED', failure: 'refused' } as const
    expect(await finishAttempt(database, seen, end, now)).toBe(false)
    expect(await finishAttempt(database, attempt, end, now)).toBe(true)
  })

  it('is not moved by a process that read it at an earlier step', async () => {
    const attempt = await attemptIn('OPEN', { step: 'SECOND' })
    const next = { step: 'THIRD' }
    const seen = { ...attempt, details: { step: 'FIRST' } }
    expect(await recordStep(database, seen, next, now, later)).toBeUndefined()
    expect(await recordStep(database, attempt, next, now, later)).toMatchObject({ details: next })
    const asked = await attemptIn('ASKED', { step: 'SECOND' })
    expect(await recordStep(database, asked, next, now, later)).toBeUndefined()
  })

  it.each([
    ['OPEN', true],
    ['ASKED', false],
  ] as const)('ends when the customer begins another, if it is %s: %s', async (state, ends) => {
    const earlier = await attemptIn(state)
    const other = { ...earlier, key: randomUUID(), pageToken: randomUUID(), state: 'OPEN' } as const
    expect(await insertAttempt(database, other, later)).toBe(true)
    expect((await rowOf(earlier))?.state).toBe(ends ? 'ABANDONED' : state)
    expect((await rowOf(other))?.state).toBe('OPEN')
  })

  it('is one for each page, however often the page posts it', async () => {
    const first = await attemptIn('ASKED')
    expect(await insertAttempt(database, { ...first, key: randomUUID(), state: 'OPEN' }, later)).toBe(false)
  })

  it('is renewed while it is ASKED, in time, not withdrawn, and below the limit of inquiries', async () => {
    const renewed = async (state: State, options: AttemptOptions = {}, max?: number) => {
      const attempt = await attemptIn(state, options)
      const result = await renewCall(database, attempt, now, later, max)
      expect(await isDue(attempt, later)).toBe(result)
      return result
    }
    expect(await renewed('ASKED', { expired: false })).toBe(true)
    expect(await renewed('ASKED', { tries: 2 }, 3)).toBe(true)
    expect(await renewed('ASKED', { tries: 3 }, 3)).toBe(false)
    expect(await renewed('ASKED', { expired: true })).toBe(false)
    expect(await renewed('ASKED', { withdrawn: true })).toBe(false)
    expect(await renewed('GIVEN_UP')).toBe(false)
  })

  it('is withdrawn while it is ASKED, and stores the time', async () => {
    expect(await markWithdrawn(database, 'CC', walletId, (await attemptIn('ASKED')).key, now)).toBeDefined()
    expect(
      await markWithdrawn(database, 'CC', walletId, (await attemptIn('DECLINED')).key, now),
    ).toBeUndefined()
  })

  it('loses a detail once, and only while it is ASKED', async () => {
    const remove = (attempt: CustomerAttempt) =>
      removeDetail(database, attempt as CustomerAttempt<{ secret: string }>, 'secret')
    const asked = await attemptIn('ASKED')
    expect([await remove(asked), await remove(asked)]).toEqual([true, false])
    expect(await remove(await attemptIn('APPROVED'))).toBe(false)
  })

  it('takes no detail and no due time from a process that read it in another state', async () => {
    const attempt = await attemptIn('DECLINED')
    const seen = { ...attempt, state: 'ASKED' } as CustomerAttempt<{ more: number }>
    await addDetails(database, seen, { more: 1 })
    await postponeInquiry(database, seen, later)
    expect(await rowOf(attempt)).toMatchObject({ details: { secret: 'x' }, due_at: null })
    expect((await rowOf(attempt))?.details).not.toHaveProperty('more')
  })
})

describe('a request to a rail', () => {
  it('is postponed and ended only from the state that was read', async () => {
    const attempt = await attemptIn('GIVEN_UP')
    const seen = { ...attempt, state: 'ASKED' } as const
    await postponeAttempt(database, { ...seen, tries: 7 }, later)
    await endAttempt(database, seen, 'APPROVED', now)
    expect(await rowOf(attempt)).toMatchObject({ state: 'GIVEN_UP', tries: 0 })
    await postponeAttempt(database, { ...attempt, tries: 7 }, later)
    expect(await rowOf(attempt)).toMatchObject({ tries: 7 })
    await endAttempt(database, attempt, 'CLOSED', now)
    expect(await rowOf(attempt)).toMatchObject({ state: 'CLOSED', due_at: null })
  })

  it.each([
    ['ASKED', 'GIVEN_UP'],
    ['APPROVED', 'APPROVED'],
    ['TO_REVERSE', 'TO_REVERSE'],
  ] as const)('that is %s is given up: it is %s', async (state, then) => {
    const attempt = await attemptIn(state)
    await markGivenUp(database, attempt, now, later, 'rail_unavailable')
    expect((await rowOf(attempt))?.state).toBe(then)
  })

  /** Creates an operation that is its own attempt, due at a rail. */
  async function operationIn(status: string, more: { attemptId?: string; underApproval?: boolean } = {}) {
    const id = randomUUID()
    const ended = ['COMPLETED', 'FAIL', 'VOIDED'].includes(status)
    await database.run(
      statement(`
        insert into operations (id, wallet_id, type, status, method, amount, currency, channel, attempt_id,
          under_approval, created_at, modified_at, settled_at)
        values ($1, $2, 'PAYMENT', $3, 'CC', 1000, 'EUR', 'API', $4, $5, $6, $6, $7)`),
      [
        id,
        walletId,
        status,
        more.attemptId ?? id,
        more.underApproval ?? status === 'PENDING',
        toTimestamp(now),
        ended ? toTimestamp(now) : null,
      ],
    )
    return { walletId, id }
  }

  it('is written if it is due and open, and left alone after a renewal', async () => {
    const [open, ended, renewed] = [
      await operationIn('PENDING'),
      await operationIn('COMPLETED'),
      await operationIn('PENDING'),
    ]
    expect(await renewAttempt(database, renewed, later, undefined)).toBe(true)
    await database.run(
      statement(
        'insert into opened_movements (due_at, id, wallet_ids, operation_ids) values ($1, $2, $3::bigint[], $4::uuid[])',
      ),
      [toTimestamp(now), open.id, [walletId, walletId, walletId], [open.id, ended.id, renewed.id]],
    )
    expect(await writeDueAttempts(database, now, 10)).toBe(1)
    expect(await rowOf({ key: open.id })).toMatchObject({ state: 'ASKED' })
    expect(await rowOf({ key: ended.id })).toBeUndefined()
    expect((await rowOf({ key: renewed.id }))?.due_at?.valueOf()).toBe(later)
    expect(await writeDueAttempts(database, now, 10)).toBe(0)
  })

  it.each([
    ['PENDING', {}, true],
    ['PENDING', { underApproval: false }, false],
    ['PENDING', { attemptId: randomUUID() }, false],
    ['COMPLETED', {}, false],
  ] as const)('of an operation that is %s %o is renewed: %s', async (status, more, renews) => {
    expect(await renewAttempt(database, await operationIn(status, more), later, undefined)).toBe(renews)
  })

  it('is not renewed after too many inquiries, or after it was given up', async () => {
    const operation = await operationIn('PENDING')
    expect(await renewAttempt(database, operation, later, 2)).toBe(true)
    await database.run(statement('update attempts set tries = 2 where id = $1'), [operation.id])
    expect(await renewAttempt(database, operation, later, 2)).toBe(false)
    expect(await renewAttempt(database, operation, later, 3)).toBe(true)
    await markGivenUp(
      database,
      { ...operation, key: operation.id, operationId: operation.id, type: 'PAYMENT', method: 'CC' },
      now,
      later,
    )
    expect(await renewAttempt(database, operation, later, undefined)).toBe(false)
  })

  it.each([
    ['PENDING', {}, false],
    ['COMPLETED', {}, false],
    ['FAIL', {}, true],
    ['VOIDED', {}, true],
    ['COMPLETED', { attemptId: randomUUID() }, true],
    ['PENDING', { underApproval: false }, true],
  ] as const)(
    'of an operation that is %s %o is reversed after a late approval: %s',
    async (status, more, reverses) => {
      const { id } = await operationIn(status, more)
      const request = { walletId, key: id, operationId: id, method: 'CC' } as const
      expect(await recordLateApproval(database, request, now)).toBe(reverses)
      expect((await rowOf({ key: id }))?.state).toBe(reverses ? 'TO_REVERSE' : undefined)
      expect(await recordLateApproval(database, request, now)).toBe(false)
    },
  )
})
