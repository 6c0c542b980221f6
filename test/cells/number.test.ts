// The number of a cell, and identifiers that contain it.
import { afterEach, expect, it } from 'vitest'
import { readCell, setCell } from '../../src/cells/index.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { createPostgresDatabase, databaseKinds, openTestDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type World } from '../world.ts'

let database: Database | undefined
let world: World | undefined
afterEach(async () => {
  await world?.stop()
  await database?.close()
  world = undefined
  database = undefined
})

it.each(databaseKinds)('can be set on %s before the first wallet', async (kind) => {
  database = await openTestDatabase(kind)
  expect(await readCell(database)).toBe(0)
  for (const wrong of [-1, 3844, 1.5, Number.NaN])
    expect(await setCell(database, wrong)).toMatchObject({ refusal: { kind: 'invalid_parameter' } })
  expect(await setCell(database, 3843)).toMatchObject({ ok: true })
  expect(await readCell(database)).toBe(3843)
})

it('is in every identifier that a cell gives out', async () => {
  const databaseUrl = await createPostgresDatabase()
  database = openPostgres({ url: databaseUrl })
  expect(await setCell(database, 62)).toMatchObject({ ok: true })
  world = await openWorld({ databaseUrl })
  const { shop } = world
  expect(shop.wallet_id).toBeGreaterThanOrEqual(62_000_001_000)
  expect(shop.api_key).toMatch(/^cmp_test_10[0-9A-Za-z]{6}_/)
  expect(shop.public_id).toMatch(/^10/)

  const headers = { authorization: `Comporta ${shop.api_key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ enabled: true })
  await world.request('/api/v2/mails/kinds/receipt', { method: 'PUT', headers, body })
  const checkout = await world.createCheckout({
    payment: { amount: 10, currency: 'EUR', client: { email: 'ana@example.com' } },
  })
  await world.payOnPage(checkout, cards.frictionless)
  const link = await shop.post('/api/v2/payment_links', { amount: 5, description: 'Rent' })
  expect(link.body.url).toMatch(/\/10[0-9A-Za-z]{20}$/)
  const operations = await shop.get('/api/v2/operations')
  expect(operations.body.elements).toHaveLength(1)
  const callbacks = await world.receiver.waitFor('/callbacks', 1)
  const mails = await shop.get('/api/v2/mails')
  expect(mails.body.elements).toHaveLength(1)
  const given = [checkout, link.body, operations.body, mails.body, callbacks.map(({ body }) => body)]
  const text = given.map((each) => JSON.stringify(each)).join()
  const ids = text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []
  const others = ids.filter((id) => id.slice(20, 23) !== '03e')
  expect(ids.length).toBeGreaterThan(3)
  expect(others).toEqual([])

  expect(await world.cli('cell')).toMatchObject({ code: 0, json: { number: 62 } })
  expect(await world.cli('cell', '--number', '3')).toMatchObject({
    ...{ code: 1, text: expect.stringContaining('the gateway runs') },
  })
  expect(await world.cli('cell', '--number', 'x')).toMatchObject({
    ...{ code: 1, text: expect.stringContaining('from 0 to 3843') },
  })
  await world.stop()
  world = undefined
  expect(await setCell(database, 3)).toMatchObject({
    refusal: { reason: expect.stringContaining('already has wallets or connections') },
  })
})
