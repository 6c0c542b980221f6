// Late and repeated changes of references, limits, splits and questions to phones.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { after, minute, systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import { countQuestions } from '../../src/methods/mbway/mandates/questions.ts'
import type { BankReference } from '../../src/methods/multibanco/model.ts'
import {
  insertAcceptedPayments,
  insertRefusedPayments,
} from '../../src/methods/multibanco/payments/notices-store.ts'
import { insertReferencePayments } from '../../src/methods/multibanco/store.ts'
import { insertOperations } from '../../src/operations/for-movements.ts'
import { type NewOperation, openedOperation } from '../../src/operations/index.ts'
import { countToDay, forgetDaysBefore } from '../../src/operations/limits-store.ts'
import { noSharing } from '../../src/operations/shares/book.ts'
import { writeManualSplit } from '../../src/operations/shares/split.ts'
import { type Database, type Executor, openPostgres, statement } from '../../src/storage/index.ts'
import { createPostgresDatabase, waitingFor } from '../database.ts'
import { patienceSeconds } from '../patience.ts'
import { insertRow, isMovableDuring, pendingPayment } from './rows.ts'

const walletId = 1001n
const now = systemClock.now()

let database: Database
beforeAll(async () => {
  // A statement that waits for a lock fails by timeout.
  database = openPostgres({ url: await createPostgresDatabase(), answerMsMax: patienceSeconds * 1000 })
})
afterAll(() => database.close())

const operation = (more: Partial<NewOperation> = {}) => pendingPayment({ method: 'MB', ...more })

let references = 100_000_000

const reference = (more: Partial<BankReference> = {}): BankReference => ({
  id: randomUUID(),
  walletId,
  kind: 'recurring',
  entity: '11249',
  ref: String(references++),
  amountMin: cents(100),
  amountMax: cents(2000),
  createdAt: now,
  ...more,
})

async function openReference(deleted = false): Promise<BankReference> {
  const opened = reference()
  await insertRow(database, 'bank_references', {
    id: opened.id,
    wallet_id: 1001,
    kind: opened.kind,
    entity: opened.entity,
    ref: opened.ref,
    amount_min: 100,
    amount_max: 2000,
    created_at: '2026-01-01',
    deleted_at: deleted ? '2026-01-02' : null,
  })
  return opened
}

const paymentOf = ({ entity, ref }: BankReference, id: string = randomUUID()) => ({
  id,
  entity,
  ref,
  amount: cents(1000),
  paidAt: now,
})

describe('a reference of a provider', () => {
  async function requested(withdrawn: boolean) {
    const opened = operation()
    const exactly = { amountMin: opened.amount, amountMax: opened.amount, expires: after(now, minute) }
    const made = reference({ kind: 'time_limited', operationId: opened.id, ...exactly })
    await insertRow(database, 'bank_reference_requests', {
      id: made.id,
      wallet_id: 1001,
      created_at: '2026-01-01',
      due_at: '2026-01-01',
      withdrawn_at: withdrawn ? '2026-01-02' : null,
    })
    const row = { operation: opened, reference: made, claim: undefined }
    return { id: made.id, open: (db: Executor) => insertReferencePayments(db, [row], 'theirs') }
  }

  it('is opened once, and not after its request was given up', async () => {
    const [kept, withdrawn] = [await requested(false), await requested(true)]
    expect(await withdrawn.open(database)).toEqual([false])
    expect(await kept.open(database)).toEqual([true])
    expect(await kept.open(database)).toEqual([false])
  })

  it('is not opened after its request was abandoned', async () => {
    const { id, open } = await requested(false)
    let opening: Promise<boolean[]> | undefined
    await database.transaction(async (tx) => {
      await tx.run(statement('update bank_reference_requests set withdrawn_at = now() where id = $1'), [id])
      opening = open(database)
      await expect.poll(() => waitingFor(database)).toBe(1)
    })
    expect(await opening).toEqual([false])
  })
})

describe('a payment of a recurring reference', () => {
  const accept = (db: Executor, to: BankReference, id?: string) =>
    insertAcceptedPayments(db, [{ payment: paymentOf(to, id), reference: to, operation: operation() }])

  it('is accepted once, and not after the reference was deleted', async () => {
    const [opened, deleted] = [await openReference(), await openReference(true)]
    const id = randomUUID()
    expect(await accept(database, opened, id)).toEqual([true])
    expect(await accept(database, opened, id)).toEqual([false])
    expect(await accept(database, deleted)).toEqual([false])
  })

  it('keeps the reference from being deleted meanwhile', async () => {
    const opened = await openReference()
    const during = (tx: Executor) => accept(tx, opened)
    expect(await isMovableDuring(database, during, 'bank_references', opened.id)).toBe(false)
  })

  it('is refused once', async () => {
    const opened = await openReference()
    const payment = paymentOf(opened)
    const refuse = () => {
      const subject = randomUUID()
      const event = {
        id: randomUUID(),
        walletId,
        kind: 'operation',
        subject,
        event: 'USERERROR',
        payload: { id: subject },
        endpoint: 'wallet',
        hasEndpoint: true,
        createdAt: now,
      } as const
      const refusal = { userError: 'badamount', event, decidedAt: now } as const
      return insertRefusedPayments(database, [{ ...refusal, payment, reference: opened }])
    }
    expect([await refuse(), await refuse()]).toEqual([[true], [false]])
  })
})

describe('a day of a limit', () => {
  beforeAll(async () => {
    // The wallet of this test is in no table.
    await database.run(statement('alter table limit_days drop constraint limit_days_wallet_id_fkey'))
  })
  const use = (on: string, amount: number) => ({
    walletId,
    day: on,
    operationId: randomUUID(),
    amount: cents(amount),
  })

  it('takes no first payment that is more than all of it', async () => {
    const count = (amount: number) => countToDay(database, use('2026-03-02', amount), cents(1500), now)
    expect([await count(1501), await count(1500), await count(1)]).toEqual([false, true, false])
  })

  it('is forgotten by one process, and passed over by the others', async () => {
    const days = statement<{ count: bigint }>(
      "select count(*) as count from limit_days where day < '2026-02-01'",
    )
    await countToDay(database, use('2026-01-01', 10), null, now)
    await database.transaction(async (tx) => {
      await tx.run(statement("select from limit_days where day = '2026-01-01' for update"))
      await forgetDaysBefore(database, '2026-02-01')
    })
    expect(await database.run(days)).toEqual([{ count: 1n }])
    await forgetDaysBefore(database, '2026-02-01')
    expect(await database.run(days)).toEqual([{ count: 0n }])
  })
})

it('a payment that is not completed is not divided', async () => {
  const ledger = createLedger({ database })
  const pending = operation({ method: 'CC' })
  await insertOperations(database, [{ operation: pending, claim: undefined }])
  const split = { operation: openedOperation(pending), sharing: noSharing, at: now, claim: undefined }
  expect(await writeManualSplit({ database, ledger }, split)).toBe('refused')
  const completed = "update operations set status = 'COMPLETED', settled_at = now() where id = $1"
  await database.run(statement(completed), [pending.id])
  expect(await writeManualSplit({ database, ledger }, split)).toBe('divided')
})

it('questions to one phone are counted one after the other', async () => {
  const question = (phone: string) => ({ walletId, phone })
  const tryLock = statement<{ free: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1::text, 0)) as free',
  )
  const isFree = async (phone: string) =>
    (await database.run(tryLock, [`questions to ${phone} for ${walletId}`]))[0]?.free
  const free = await database.transaction(async (tx) => {
    await countQuestions(tx, question('351#912345678'), now, now)
    return [await isFree('351#912345678'), await isFree('351#912345679')]
  })
  expect(free).toEqual([false, true])
})
