// Two thousand connections while the database is blocked.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BareAnswer, bareRequest, openConnection } from '../bare-connection.ts'
import { openWorld } from '../gateway-here.ts'
import { storeCard } from '../stored-cards.ts'
import { cards, type World } from '../world.ts'

const connections = 2_000
const workedAtOnce = 512
const hungUp = 300

let world: World
let database: pg.Client
beforeAll(async () => {
  world = await openWorld('postgres')
  database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await world.stop()
})

async function metric(name: string): Promise<number> {
  const { text } = await world.request('/metrics')
  return Number(new RegExp(`^comporta_requests_${name} (\\d+)$`, 'm').exec(text)?.[1])
}

interface Sent {
  readonly answer: Promise<BareAnswer>
  hangUp(): void
}

function pay(token: string, requestId: string): Sent {
  const body = JSON.stringify({
    request_id: requestId,
    amount: 10,
    currency: 'EUR',
    callback: world.receiver.url('/callbacks'),
    cardsecure_url_confirm: 'https://shop.example/ok',
    cardsecure_url_cancel: 'https://shop.example/no',
    card: { token },
  })
  const headers = {
    authorization: `Comporta ${world.shop.api_key}`,
    'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
    'content-type': 'application/json',
  }
  const { promise: answer, resolve, reject } = Promise.withResolvers<BareAnswer>()
  const connection = openConnection(Number(new URL(world.baseUrl).port), {
    onAnswer(received) {
      connection.close()
      resolve(received)
    },
    onEnd: (reason) => reject(new Error(reason)),
  })
  connection.send(bareRequest('POST', '/prows/v2/payment', headers, body))
  return { answer, hangUp: connection.close }
}

async function made(): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::integer as made from operations where method = 'CC' and status = 'COMPLETED'`,
  )
  return rows[0].made
}

it('serves as many as it can, and does nothing for closed connections', async () => {
  const token = await storeCard(world, cards.frictionless.number)
  const ids = Array.from({ length: connections }, () => randomUUID())
  const worked = ids.slice(0, workedAtOnce)
  const left = ids.slice(workedAtOnce, workedAtOnce + hungUp)
  const waiting = ids.slice(workedAtOnce + hungUp)

  await database.query('begin')
  await database.query('lock table operations in access exclusive mode')
  const sent = worked.map((id) => pay(token, id))
  await world.eventually(async () => (await metric('in_progress')) === workedAtOnce)
  const leaving = left.map((id) => pay(token, id))
  await world.eventually(async () => (await metric('waiting')) === hungUp)
  for (const { hangUp } of leaving) hangUp()
  await world.eventually(async () => (await metric('waiting')) === 0)
  // On a slow machine the first callers reach their time limit before the last ones arrive.
  let refusedAlready = 0
  for (const id of waiting) {
    const payment = pay(token, id)
    payment.answer.then(
      () => {
        refusedAlready += 1
      },
      () => undefined,
    )
    sent.push(payment)
  }
  await world.eventually(async () => (await metric('waiting')) + refusedAlready === waiting.length)
  const { rows: sessions } = await database.query(
    'select count(*)::integer as open from pg_stat_activity where datname = current_database()',
  )
  await database.query('rollback')

  const answers = await Promise.all(sent.map(({ answer }) => answer))
  const refused = answers.filter(({ status }) => status === 503)
  const served = answers.filter(({ status }) => status === 200).length
  expect(served + refused.length).toBe(sent.length)
  expect(served).toBeGreaterThanOrEqual(workedAtOnce)
  for (const { head, body } of refused) {
    expect(JSON.parse(body)).toMatchObject({
      code: 20008,
      reason: expect.stringContaining('nothing was done'),
    })
    expect(head).toMatch(/^retry-after: [1-9]/m)
  }
  expect(await made()).toBe(served)
  // The gateway has ten connections and one for notices, and the test has one. A waiting caller has none.
  expect(sessions[0].open).toBeLessThanOrEqual(12)

  const notMade = [...worked, ...waiting].filter((_, index) => answers[index]?.status !== 200)
  for (const group of [worked.slice(0, 100), left, notMade]) {
    const repeated = group.map((id) =>
      world.eventually(async () => (await pay(token, id).answer).status === 200),
    )
    await Promise.all(repeated)
  }
  expect(await made()).toBe(connections)
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})
