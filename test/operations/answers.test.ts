// Stored answers: the gateway stores one for each request, together with its settlement.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeepAnswer, findRequest } from '../../src/idempotency/store.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import { insertOperations } from '../../src/operations/for-movements.ts'
import { type NewOperation, openedOperation } from '../../src/operations/index.ts'
import type { SettledRow } from '../../src/operations/settle/model.ts'
import { writeSettlements } from '../../src/operations/settle/settle.ts'
import { settleStatements } from '../../src/operations/settle/settle-sql.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const statements = settleStatements(undefined)
const walletId = 1001n
const otherWalletId = 1002n

const inOneCommit = statement<{ is_one: boolean }>(`
  select requests.xmin = operations.xmin as is_one
  from requests join operations on operations.wallet_id = requests.wallet_id and operations.id = $2
  where requests.wallet_id = $1 and requests.request_id = $3`)

describe.each(databaseKinds)('answers kept with settlements on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  /** An operation under approval, made by the request `requestId`. */
  async function opened(requestId: string | undefined, wallet = walletId): Promise<NewOperation> {
    const id = randomUUID()
    const operation = {
      id,
      walletId: wallet,
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      attemptId: id,
      underApproval: true,
      createdAt: systemClock.now(),
    } as const
    const made = { fingerprint: new Uint8Array([1]), resourceId: id, href: '/' }
    const claim = requestId === undefined ? undefined : { ...made, requestId }
    await insertOperations(database, [{ operation, claim }])
    return operation
  }

  const bodyOf = ({ id }: NewOperation) => `{"id":"${id}","text":"{\\"a\\",\\\\ NULL}\\u0000 ação 🧾"}\n`
  const answerOf = (operation: NewOperation) => ({ status: 402, body: bodyOf(operation) })

  function settledRow(operation: NewOperation, requestId: string | undefined): SettledRow {
    const answer =
      requestId === undefined ? undefined : { answer: { requestId, answer: answerOf(operation) } }
    return {
      settled: { ...openedOperation(operation), status: 'FAIL', error: 'declined' },
      guard: { kind: 'attempt', attemptId: operation.id },
      at: systemClock.now(),
      event: undefined,
      extraEvents: [],
      postings: [],
      sharing: { postings: [], shares: [], transfers: [] },
      ...answer,
    }
  }

  const settle = (rows: readonly SettledRow[]) =>
    writeSettlements(
      { database, ledger: createLedger({ database }), callbacks: new CallbackWorld(database).callbacks() },
      statements,
      rows,
    )
  const keptFor = async (requestId: string, wallet = walletId) =>
    (await findRequest(database, wallet, requestId))?.answer

  it('are stored in the commit of their settlement, for one wallet', async () => {
    const [shared, alone] = [randomUUID(), randomUUID()]
    const [own, theirs] = [await opened(shared), await opened(shared, otherWalletId)]
    const [other, unnamed] = [await opened(alone), await opened(undefined)]
    expect(
      await settle([settledRow(own, shared), settledRow(other, alone), settledRow(unnamed, undefined)]),
    ).toEqual(['answered', 'answered', 'settled'])
    expect(await keptFor(shared)).toEqual(answerOf(own))
    expect(await keptFor(alone)).toEqual(answerOf(other))
    expect(await database.run(inOneCommit, [walletId, own.id, shared])).toEqual([{ is_one: true }])
    expect(await keptFor(shared, otherWalletId)).toBeUndefined()
    expect(await settle([settledRow(theirs, shared)])).toEqual(['answered'])
    expect(await keptFor(shared, otherWalletId)).toEqual(answerOf(theirs))
  })

  it('are not stored if the settlement loses, the request made another operation, or was answered', async () => {
    const [losing, made, answered] = [randomUUID(), randomUUID(), randomUUID()]
    const loser = await opened(losing)
    await settle([settledRow(loser, undefined)])
    await opened(made)
    const stranger = await opened(undefined)
    const late = await opened(answered)
    const first = { status: 200, body: '{"status":"PENDING"}' }
    expect(await createKeepAnswer(database)(walletId, answered, first)).toBe(true)
    expect(
      await settle([settledRow(loser, losing), settledRow(stranger, made), settledRow(late, answered)]),
    ).toEqual(['lost', 'settled', 'settled'])
    expect(await keptFor(losing)).toBeUndefined()
    expect(await keptFor(made)).toBeUndefined()
    expect(await keptFor(answered)).toEqual(first)
  })
})
