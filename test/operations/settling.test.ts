// Only the latest attempt may settle an operation under approval.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerToKeep } from '../../src/idempotency/index.ts'
import { findRequest } from '../../src/idempotency/store.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import { insertOperations } from '../../src/operations/for-movements.ts'
import { findOperation, type NewOperation, openedOperation } from '../../src/operations/index.ts'
import type { SettleGuard } from '../../src/operations/settle/model.ts'
import { writeSettlements } from '../../src/operations/settle/settle.ts'
import { settleStatements } from '../../src/operations/settle/settle-sql.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const statements = settleStatements(undefined)

describe.each(databaseKinds)('on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  type State = 'NEW' | 'PENDING'

  async function openIn(status: State, underApproval: boolean, attemptId: string): Promise<NewOperation> {
    const operation: NewOperation = {
      id: randomUUID(),
      walletId: 1001n,
      type: 'PAYMENT',
      status,
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      attemptId,
      underApproval,
      createdAt: systemClock.now(),
    }
    await insertOperations(database, [{ operation, claim: undefined }])
    return operation
  }

  async function settleBy(operation: NewOperation, guard: SettleGuard, changed = {}, answer?: AnswerToKeep) {
    const row = {
      settled: { ...openedOperation(operation), status: 'FAIL', error: 'declined', ...changed },
      guard,
      at: systemClock.now(),
      event: undefined,
      extraEvents: [],
      postings: [],
      sharing: { postings: [], shares: [], transfers: [] },
      answer,
    } as const
    const callbacks = new CallbackWorld(database).callbacks()
    const ledger = createLedger({ database })
    return (await writeSettlements({ database, ledger, callbacks }, statements, [row]))[0]
  }

  const [own, other] = [randomUUID(), randomUUID()]
  const undecided = { kind: 'no_rail_deciding' } as const
  const by = (kind: 'attempt' | 'awaited_attempt', attemptId: string) => ({ kind, attemptId })

  it.each<[SettleGuard, State, boolean, 'settled' | 'lost']>([
    [{ kind: 'no_method_chosen' }, 'NEW', false, 'settled'],
    [{ kind: 'no_method_chosen' }, 'PENDING', false, 'lost'],
    [undecided, 'NEW', false, 'settled'],
    [undecided, 'PENDING', false, 'settled'],
    [undecided, 'PENDING', true, 'lost'],
    [by('attempt', own), 'PENDING', true, 'settled'],
    [by('attempt', own), 'PENDING', false, 'lost'],
    [by('attempt', other), 'PENDING', true, 'lost'],
    [by('awaited_attempt', own), 'PENDING', false, 'settled'],
    [by('awaited_attempt', own), 'PENDING', true, 'lost'],
    [by('awaited_attempt', other), 'PENDING', false, 'lost'],
  ])(
    'guard %o: a %s operation, under approval %s, becomes %s',
    async (guard, status, underApproval, outcome) => {
      const operation = await openIn(status, underApproval, own)
      expect(await settleBy(operation, guard)).toBe(outcome)
      const { walletId, id } = operation
      const settled = await findOperation(database, walletId, id)
      expect(settled?.status).toBe(outcome === 'settled' ? 'FAIL' : status)
    },
  )

  it('an answer is stored only for the request that made the operation', async () => {
    const [asked, settled] = [await openIn('PENDING', true, own), await openIn('PENDING', true, own)]
    const requestId = randomUUID()
    await database.run(
      statement(`
        insert into requests (wallet_id, request_id, fingerprint, resource_id, href, created_at)
        values ($1, $2, '\\x01', $3, '/', now())`),
      [asked.walletId, requestId, asked.id],
    )
    const answer = { requestId, answer: { status: 200, body: '{}' } }
    const kept = async () => (await findRequest(database, asked.walletId, requestId))?.answer
    expect(await settleBy(settled, by('attempt', own), {}, answer)).toBe('settled')
    expect(await kept()).toBeUndefined()
    expect(await settleBy(asked, by('attempt', own), {}, answer)).toBe('answered')
    expect(await kept()).toEqual(answer.answer)
  })

  it('nothing is settled twice, nor by another method than the chosen one', async () => {
    const operation = await openIn('PENDING', false, own)
    expect(await settleBy(operation, undecided, { method: 'MB' })).toBe('lost')
    expect(await settleBy(operation, undecided)).toBe('settled')
    expect(await settleBy(operation, undecided)).toBe('lost')
  })
})
