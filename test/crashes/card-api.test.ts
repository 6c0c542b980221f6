// The gateway dies at any point of card API payments. One request id makes one charge.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrashPoint } from '../../src/kernel/crash-points.ts'
import { type Database, openPglite, openPostgres } from '../../src/storage/index.ts'
import { encryptCard } from '../../web/secure-fields/frame/encrypt-card.ts'
import { openPage, submit } from '../browserless.ts'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'
import { kills } from './kills.ts'

const finalStatuses = ['COMPLETED', 'FAIL']
/** Payments outside the bursts: one with the deleted card, one with the encrypted card. */
const paidAlone = 2

interface Sent {
  readonly path: string
  readonly body: {
    readonly request_id: string
    readonly ext_invoiceid?: string
    readonly newCard?: Record<string, string>
  }
  answer?: Answer | undefined
}

describe.each(databasesOr('postgres'))('on %s', (kind) => {
  let world: World
  let tokens: string[]
  const ended: Json[] = []

  const newCard = (number: string) => ({
    number,
    name: 'Ana Silva',
    vcode: '123',
    valdate: '12/2030',
    email: 'ana@example.com',
  })
  const urls = () => ({
    cardsecure_url_confirm: world.receiver.url('/confirm'),
    cardsecure_url_cancel: world.receiver.url('/cancel'),
  })
  const payment = (card: Record<string, unknown>): Sent => {
    const request_id = randomUUID()
    const callback = world.receiver.url('/operation')
    const ext_invoiceid = `K-${request_id}`
    const body = { amount: 10, currency: 'EUR', callback, ...urls(), ext_invoiceid, request_id, ...card }
    return { path: '/prows/v2/payment', body }
  }
  const storing = (number: string): Sent => ({
    path: '/prows/v2/creditcard',
    body: { ...urls(), newCard: newCard(number), request_id: randomUUID() },
  })

  async function send({ path, body }: Sent): Promise<Answer | undefined> {
    const headers = { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
    return world.shop.post(path, body, headers).catch(() => undefined)
  }

  const deleteCard = (token: string) =>
    world.request(`/prows/v2/creditcard/${token}`, {
      method: 'DELETE',
      headers: {
        authorization: `Comporta ${world.shop.api_key}`,
        'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
      },
    })

  async function authenticate(answer: Answer | undefined): Promise<void> {
    const url: string | undefined = answer?.body?.cardsecure_url_redirect
    if (url === undefined) return
    try {
      let page = await openPage(url)
      for (let step = 0; step < 6; step++) {
        const form = page.forms.find(({ action }) => /\/secure\/|\/challenge|\/3ds\/return\//.test(action))
        if (form === undefined) return
        page = await submit(page, form, 'otp' in form.fields ? { otp: cards.challenge.otp } : {})
      }
    } catch {}
  }

  const outcome = async ({ body }: Sent): Promise<Json> =>
    (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body

  beforeAll(async () => {
    world = await startMortalWorld(kind)
    tokens = []
    for (const card of [cards.frictionless, cards.declined, cards.silentThenApproved]) {
      const asked = storing(card.number)
      await authenticate(await send(asked))
      tokens.push((await outcome(asked)).token)
    }
  })
  afterAll(() => world.stop())

  /** The acquirer is silent only in the last burst, whose kill is late. Otherwise each retry would wait 8 seconds. */
  function burst(point: CrashPoint): Sent[] {
    const [paying, declined, silent] = tokens
    const byToken = [
      ...Array(8).fill(paying),
      declined,
      declined,
      ...(point === 'settled, answer not sent' ? [silent] : []),
    ]
    const byCard = [
      cards.frictionless,
      cards.challenge,
      cards.declined,
      cards.rejected,
      cards.silentThenDeclined,
    ]
    return [
      ...byToken.map((token) => payment({ card: { token } })),
      ...[...byCard, ...byCard].map(({ number }) => payment({ newCard: newCard(number) })),
      ...[cards.frictionlessMastercard, cards.rejected].map(({ number }) => storing(number)),
    ]
  }

  async function askAgainAtOnce(one: Sent): Promise<void> {
    const again = await send(one)
    if (one.answer !== undefined)
      return expect(again).toMatchObject({ status: one.answer.status, text: one.answer.text })
    // After 503 the acquirer has not got the request.
    expect([200, 402, 409, 503]).toContain(again?.status)
    if (again?.status === 409) expect(again.body).toMatchObject({ code: 10014 })
    else one.answer = again
  }

  async function askAgainLater(one: Sent): Promise<void> {
    const again = await send(one)
    expect([200, 402, 503]).toContain(again?.status)
    if (one.answer !== undefined) expect(again?.text).toBe(one.answer.text)
    one.answer = again
    await authenticate(again)
  }

  it.each(kills.cardApi)('killed at "%s" (%i) in a burst', async (point, count) => {
    const sent = burst(point)
    await world.armCrash(point, count)
    const working = sent.map(async (one) => {
      one.answer = await send(one)
      await authenticate(one.answer)
    })
    await world.crashed()
    await Promise.all(working)
    await world.restart()

    await Promise.all(sent.map(askAgainAtOnce))
    await world.advance('PT2M')
    await Promise.all(sent.map(askAgainLater))
    await world.eventually(async () => {
      await world.advance('PT16M')
      const outcomes = await Promise.all(sent.map(outcome))
      return outcomes.every(({ status }) => finalStatuses.includes(status))
    })
    for (const { body, answer } of sent) {
      if (body.ext_invoiceid === undefined) continue
      const found = (await world.shop.get(`/api/v2/operations?ext_invoiceid=${body.ext_invoiceid}`)).body
      expect(found.total).toBe(1)
      const id = answer?.body.id ?? answer?.body.operation_id
      const { status } = await world.operation(id)
      if (answer?.status === 402 || answer?.status === 503) expect(status).toBe('FAIL')
      if (answer?.body.status === 'COMPLETED') expect(status).toBe('COMPLETED')
      ended.push({ event: status, operation_id: id })
    }
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })

  it('and each payment has a callback', async () => {
    for (const event of ended) {
      const callback = await world.eventually(async () =>
        world.receiver.received('/operation').find((callback) => callback.body.includes(event.operation_id)),
      )
      expect(JSON.parse(callback.body)).toMatchObject(event)
    }
  })

  it('only the payment that it makes uses up an encrypted card', async () => {
    const merchant = world.shop.public_id
    const { keys } = (await world.request('/.well-known/secure-fields/jwks.json')).body
    const { session, now } = (await world.request(`/secure-fields/v1/session?merchant=${merchant}`)).body
    const { email, ...card } = newCard(cards.frictionless.number)
    const ticket = { key: keys[0], session, iat: now }
    const { newCardSecure } = await encryptCard(card, ticket, { merchant, origin: 'http://localhost:1' })
    const encrypted = { newCardSecure: { ...newCardSecure, email } }
    const lost = payment(encrypted)
    await world.armCrash('transaction written, not committed')
    const unanswered = send(lost)
    await world.crashed()
    expect(await unanswered).toBeUndefined()
    await world.restart()

    const again = await send(lost)
    expect(again).toMatchObject({ status: 200, body: { status: 'PENDING' } })
    expect((await send(payment(encrypted)))?.body).toMatchObject({
      code: 10002,
      reason: expect.stringContaining('used before'),
    })
    await authenticate(again)
    await world.eventually(async () => (await outcome(lost)).status === 'COMPLETED')
  })

  it('a failed request gets its answer later, also if its card was deleted', async () => {
    const stored = storing(cards.silentThenDeclined.number)
    await authenticate(await send(stored))
    const { token } = await outcome(stored)
    const paid = payment({ card: { token } })
    const unanswered = send(paid)
    await world.eventually(async () => (await outcome(paid)).status === 'PENDING')
    await world.kill()
    expect(await unanswered).toBeUndefined()
    await world.restart()
    await world.eventually(async () => {
      await world.advance('PT5M')
      return (await outcome(paid)).status === 'FAIL'
    })
    expect(await deleteCard(token)).toMatchObject({ status: 200, body: true })

    const first = await send(paid)
    expect(first).toMatchObject({ status: 402, body: { code: 30007 } })
    for (let time = 0; time < 2; time++) {
      const again = await send(paid)
      expect(again).toMatchObject({ status: 402, text: first?.text })
      expect(again?.headers.get('idempotent-replayed')).toBe('true')
    }
  })

  it('charged the completed payments, and nothing else', async () => {
    await world.kill()
    const database = await databaseOf(world)
    const operations = await database.run<{ id: string; status: string; charges: bigint }>({
      text: `
        select operations.id, operations.status, count(sandbox.authorizations.key) as charges
        from operations
        left join attempts on attempts.operation_id = operations.id and attempts.owner is not null
        left join sandbox.authorizations
          on sandbox.authorizations.key in (operations.id, attempts.id)
          and sandbox.authorizations.decline is null
        where operations.method = 'CC'
        group by operations.wallet_id, operations.id`,
    })
    const [approved] = await database.run<{ count: bigint }>({
      text: 'select count(*) as count from sandbox.authorizations where decline is null',
    })
    await database.close()
    const asked = kills.cardApi
      .flatMap(([point]) => burst(point))
      .filter(({ body }) => body.ext_invoiceid !== undefined)
    expect(operations).toHaveLength(asked.length + paidAlone)
    for (const { id, status, charges } of operations)
      expect({ id, status, charges }).toEqual({ id, status, charges: status === 'COMPLETED' ? 1n : 0n })
    expect(approved?.count).toBe(BigInt(operations.filter(({ status }) => status === 'COMPLETED').length))
  })
})

function databaseOf({ dataDir, databaseUrl }: World): Promise<Database> | Database {
  return databaseUrl === undefined
    ? openPglite(join(dataDir, 'database'))
    : openPostgres({ url: databaseUrl })
}
