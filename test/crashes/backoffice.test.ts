// The gateway is killed by SIGKILL during work in the backoffice.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import { moneyOf } from '../money.ts'
import { type SignedIn, signIn } from '../people.ts'
import { type Answer, type Json, startWorld, type World } from '../world.ts'

const password = 'four plain words here'
let world: World
let owner: SignedIn
let wallet: string

beforeAll(async () => {
  world = await startWorld('postgres')
  wallet = `/wallets/${world.shop.wallet_id}`
  owner = await signIn(world, 'owner@demo.example')
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', 'PT50000201231234567890154')
  const money = moneyOf(world)
  const { bank_reference } = await money.funds()
  await money.sandbox('bank/transfer', { reference_text: bank_reference, amount: '500' })
})
afterAll(() => world?.stop())

async function allAtOnce(asks: readonly (() => Promise<Answer>)[]): Promise<(Answer | undefined)[]> {
  return Promise.all(asks.map((ask) => ask().catch(() => undefined)))
}

const audited = async () => (await world.cli('audit')).json

it('an interrupted invitation is accepted once, or can be accepted', async () => {
  const people = Array.from({ length: 6 }, (_, index) => `crash-${index}@demo.example`)
  const tokens = new Map<string, string>()
  for (const email of people) {
    const { body } = await owner.send('POST', `${wallet}/team/invitations`, { email, role: 'support' })
    tokens.set(email, body.url.split('#')[1])
  }
  const join = (email: string) =>
    world.request('/backoffice/api/join', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.baseUrl },
      body: JSON.stringify({ token: tokens.get(email), name: 'Somebody', password }),
    })
  await world.armCrash('transaction written, not committed', 3)
  const answers = await allAtOnce(people.map((email) => () => join(email)))
  await world.crashed()
  await world.restart()
  const { members } = (await owner.get(`${wallet}/team`)).body
  for (const [index, email] of people.entries()) {
    const isIn = members.some((one: Json) => one.email === email)
    if (answers[index]?.status === 200) expect(isIn).toBe(true)
    expect((await join(email)).status).toBe(isIn ? 409 : 200)
    expect((await signIn(world, { email, password })).session.wallets).toHaveLength(1)
  }
  const { actions } = (await owner.get(`${wallet}/actions`)).body
  const joined = actions.filter(({ action }: Json) => action === 'Join a team')
  expect(joined.map(({ email }: Json) => email).sort()).toEqual(people)
})

it('payouts and keys from the page exist once', async () => {
  const before = (await world.shop.get('/api/v2/payouts')).body.total
  const requests = Array.from({ length: 5 }, () => randomUUID())
  const payOut = (id: string) =>
    owner.send('POST', `${wallet}/payouts`, { amount: 2 }, { 'idempotency-key': id })
  const named = requests.map((id) => `key ${id.slice(0, 8)}`)
  const makeKey = (name: string) =>
    owner.send('POST', `${wallet}/developers/keys`, { name, permissions: ['operations'] })
  await world.armCrash('transaction written, not committed', 4)
  const [ordered, made] = await Promise.all([
    allAtOnce(requests.map((id) => () => payOut(id))),
    allAtOnce(named.map((name) => () => makeKey(name))),
  ])
  // If the first requests did not reach the crash point, a later one does.
  if ([...ordered, ...made].every((answer) => answer !== undefined)) await world.kill()
  else await world.crashed()
  await world.restart()

  // A minute later, the gateway knows that the process of an unanswered request has died, and executes the request
  // again.
  await world.advance('PT61S')
  for (const id of requests) expect((await payOut(id)).status).toBe(200)
  const { total, elements } = (await world.shop.get('/api/v2/payouts')).body
  expect(total).toBe(before + requests.length)
  const ids = new Set(elements.map(({ id }: Json) => id))
  for (const answer of ordered) if (answer?.status === 200) expect(ids).toContain(answer.body.id)
  const { keys } = (await owner.get(`${wallet}/developers/keys`)).body
  for (const [index, name] of named.entries()) {
    const listed = keys.filter((one: Json) => one.name === name)
    expect(listed.length).toBeLessThanOrEqual(1)
    const { key } = made[index]?.body ?? {}
    if (key === undefined) continue
    expect(listed).toHaveLength(1)
    const authorization = `Comporta ${key}`
    expect((await world.request('/api/v2/operations', { headers: { authorization } })).status).toBe(200)
  }
  // The log shows no outcome for an interrupted action.
  const { actions } = (await owner.get(`${wallet}/actions`)).body
  for (const [index, answer] of [...ordered, ...made].entries()) {
    if (answer === undefined) continue
    const { status } = actions.find(({ tid }: Json) => tid === answer.headers.get('x-request-id')) ?? {}
    expect([index, [0, answer.status]]).toEqual([index, expect.arrayContaining([status])])
  }
  expect(await audited()).toMatchObject({ ok: true, problems: [] })
})

it('a scheduled payout is ordered once, if one of two processes dies', async () => {
  const second: GatewayProcess = await startGatewayProcess({
    ...{ dataDir: world.dataDir, databaseUrl: world.databaseUrl, port: await freePort() },
    environment: { RATE_LIMITS: 'off' },
  })
  try {
    const { body: set } = await owner.send('PUT', `${wallet}/payouts/schedule`, { frequency: 'daily' })
    const before = (await world.shop.get('/api/v2/payouts')).body.total
    process.kill(second.pid, 'SIGSTOP')
    await world.armCrash('payout ordered, schedule not moved on')
    // Long enough for any weekend.
    const advanced = world.advance('P5D').catch(() => undefined)
    await world.crashed()
    process.kill(second.pid, 'SIGCONT')
    await advanced
    const authorization = `Comporta ${world.shop.api_key}`
    const ask = async (path: string) =>
      (await world.request(second.baseUrl + path, { headers: { authorization } })).body
    const run = await world.eventually(async () => {
      // The lease of the dead process ends after two minutes of the gateway's clock.
      await world.request(`${second.baseUrl}/sandbox/api/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advance: 'PT1M' }),
      })
      const { runs } = await ask('/api/v2/payouts/schedule')
      return runs.find(({ day, outcome }: Json) => day === set.next && outcome !== undefined)
    })
    expect(run).toMatchObject({ outcome: 'ordered' })
    await world.restart()
    expect((await ask('/api/v2/payouts')).total).toBe(before + 1)
    expect(await audited()).toMatchObject({ ok: true, problems: [] })
  } finally {
    await second.stop()
  }
})

it('an audit of a dead process counts as ended, and another one runs', async () => {
  const operator = await signIn(world, 'operator@demo.example')
  const newest = async () => (await operator.get('/operator/audit')).body.runs[0]
  expect((await operator.send('POST', '/operator/audit', {})).status).toBe(200)
  await world.kill()
  await world.restart()
  const { id } = await newest()
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  // Changes the row as if the last sign of life came more than a minute ago.
  await client.query(`update audit_runs set seen_at = seen_at - interval '2 minutes' where ended_at is null`)
  await client.end()
  const dead = await newest()
  expect(dead).toMatchObject({ id, ended: expect.any(String), problems: [] })
  // The kill can come after the end of the run, which then has no error.
  if (dead.error !== null) expect(dead.error).toBe('the process that ran it ended')
  const again = await operator.send('POST', '/operator/audit', {})
  expect([again.status, again.body.runs[0].id > id]).toEqual([200, true])
  const ended = await world.eventually(async () => {
    const run = await newest()
    return run.ended !== null && run
  })
  expect(ended).toMatchObject({ problems: [], error: null })
})
