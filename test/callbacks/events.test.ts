// Events recorded by other modules' statements.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callbackChecks } from '../../src/callbacks/audit.ts'
import {
  eventColumns,
  eventRow,
  operationCallback,
  recordEvents,
  recordEventsSql,
} from '../../src/callbacks/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { instant } from '../../src/kernel/time.ts'
import { type Database, rowSet, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { CallbackWorld } from './callbacks.ts'

const countEvents = statement<{ events: bigint; deliveries: bigint }>(`
  select (select count(*) from events where wallet_id = $1) as events,
    (select count(*) from deliveries where wallet_id = $1) as deliveries`)

describe.each(databaseKinds)('events on %s', (kind) => {
  let database: Database
  let world: CallbackWorld
  const counted = async (walletId: bigint) => {
    const [row] = await database.run(countEvents, [walletId])
    return [row?.events, row?.deliveries]
  }

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    world = new CallbackWorld(database)
  })
  afterAll(() => database.close())

  it('are recorded by the statement that makes the change, for the rows that have one', async () => {
    const changes = rowSet({ id: 'uuid', wallet_id: 'bigint', ...eventColumns })
    const change = statement<{ id: string }>(`
      with input as (${changes.source}),
      moved as (select * from input where id is not null),
      ${recordEventsSql('moved')}
      select id from moved`)
    const walletId = world.wallet('http://shop.test/callback')
    const event = world.event(walletId)
    const rows = [
      { id: event.subject, wallet_id: walletId, ...eventRow(event) },
      { id: event.id, wallet_id: walletId, ...eventRow(undefined) },
      { id: null, wallet_id: walletId, ...eventRow(world.event(walletId)) },
    ]
    expect(await database.run(change, changes.parameters(rows))).toHaveLength(2)
    expect(await counted(walletId)).toEqual([1n, 1n])
    expect(await world.delivery(event)).toMatchObject({ state: 'DUE', due_at: event.createdAt, attempts: 0 })
  })

  it('are undone with the change', async () => {
    const walletId = world.wallet('http://shop.test/callback')
    const work = database.transaction(async (tx) => {
      await recordEvents(tx, [world.event(walletId)])
      throw new Error('the change failed')
    })
    await expect(work).rejects.toThrow('the change failed')
    expect(await counted(walletId)).toEqual([0n, 0n])
  })

  it('are never changed nor removed', async () => {
    await world.record(world.wallet('http://shop.test/callback'))
    await expect(database.run(statement(`update events set payload = '{}'`))).rejects.toThrow('append only')
    await expect(database.run(statement('delete from events'))).rejects.toThrow('append only')
    await expect(database.run(statement('delete from delivery_attempts'))).rejects.toThrow('append only')
  })

  it('carry their subject, by which verification finds them', async () => {
    const walletId = world.wallet('http://shop.test/callback')
    const event = world.event(walletId, { payload: { operation_id: 'another' } })
    await expect(recordEvents(database, [event])).rejects.toThrow('the payload does not contain its subject')
  })

  it('are audited: each has a delivery, and each delivery an event', async () => {
    const findings = async () =>
      (await Promise.all(callbackChecks.map((check) => check.run(database)))).flatMap((done) => done.findings)
    expect(await findings()).toEqual([])
    const [lost, forged] = [world.event(1n), world.event(1n)]
    await recordEvents(database, [lost, forged])
    await database.run(statement('delete from deliveries where event_id = $1'), [lost.id])
    await database.run(statement('alter table events disable trigger all'))
    await database.run(statement('delete from events where id = $1'), [forged.id])
    await database.run(statement('alter table events enable trigger all'))
    await database.run(
      statement(
        `update deliveries set state = 'DELIVERED', due_at = null, finished_at = now(), last_status = 500 where event_id = $1`,
      ),
      [forged.id],
    )
    expect((await findings()).map(({ check, subject }) => [check, subject])).toEqual([
      ['events_have_deliveries', lost.id],
      ['deliveries_have_events', forged.id],
      ['delivered_callbacks_were_accepted', forged.id],
    ])
  })
})

describe('the payload of an operation', () => {
  const operation = {
    id: '01900000-0000-7000-8000-000000000001',
    walletId: 1000n,
    type: 'PAYMENT',
    operationStatus: 'COMPLETED',
    event: 'COMPLETED',
    amount: cents(1050),
    currency: 'EUR',
    createdAt: instant(Date.parse('2026-03-01T18:30:00.999Z')),
    modifiedAt: instant(Date.parse('2026-03-29T01:00:00Z')),
  }

  it('has the fields of the specification, always', () => {
    expect(operationCallback(operation)).toStrictEqual({
      amount: 10.5,
      create_date: '2026-03-01T18:30:00+0000',
      currency: 'EUR',
      event: 'COMPLETED',
      ext_customerid: null,
      ext_email: null,
      ext_invoiceid: null,
      method: null,
      modified_date: '2026-03-29T01:00:00+0000',
      operation_id: operation.id,
      operation_status: 'COMPLETED',
      user: 1000,
      type: 'PAYMENT',
    })
  })

  it('has the others where they apply', () => {
    const full = operationCallback({
      ...operation,
      method: 'MB',
      amount: cents(-1),
      extCustomerId: 'C-1',
      extEmail: 'maria@example.com',
      extInvoiceId: 'T-1',
      checkoutId: 'checkout',
      parentId: 'parent',
      mb: { entity: '21312', ref: '123456789' },
      error: 'expired',
    })
    expect(full).toMatchObject({
      amount: -0.01,
      method: 'MB',
      ext_customerid: 'C-1',
      ext_email: 'maria@example.com',
      ext_invoiceid: 'T-1',
      checkout_id: 'checkout',
      parent_operation_id: 'parent',
      mb_entity: '21312',
      mb_ref: '123456789',
      error: 'expired',
    })
  })
})
