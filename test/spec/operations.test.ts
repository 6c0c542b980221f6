// Lists of operations (SPEC.md "Operations"; CONTRACT sections 2 and 6).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
let ids: string[]

beforeAll(async () => {
  world = await openWorld()
  ids = []
  for (let n = 0; n < 12; n++) {
    const made = await world.createCheckout({
      payment: { amount: n + 1, currency: 'EUR', ext_invoiceid: `I-${n % 3}` },
    })
    ids.unshift(made.payment.id)
    if (n === 5) await world.payOnPage(made, cards.frictionless)
    if (n === 7) await world.payOnPage(made, cards.frictionlessMastercard)
  }
})
afterAll(() => world.stop())

const list = async (query: string): Promise<Json> => (await world.shop.get(`/api/v2/operations${query}`)).body
const idsOf = (page: Json): string[] => page.elements.map(({ id }: Json) => id)

describe('a list', () => {
  it('is newest first, ten to a page, with the count of all', async () => {
    const first = await list('')
    expect(first.total).toBe(12)
    expect(idsOf(first)).toEqual(ids.slice(0, 10))
    expect(idsOf(await list('?offset=1'))).toEqual(ids.slice(10))
    expect(idsOf(await list('?limit=5&offset=1'))).toEqual(ids.slice(5, 10))
    expect(await list('?offset=7')).toEqual({ total: 12, elements: [] })
    expect(await world.operation(ids[0] ?? '')).toEqual(first.elements[0])
  })

  it.each<[string, (page: Json) => void]>([
    ['?method=CC', ({ total }) => expect(total).toBe(2)],
    ['?method=cc&type=payment', ({ total }) => expect(total).toBe(2)],
    ['?type=REFUND', ({ total }) => expect(total).toBe(0)],
    ['?number4=0027', ({ elements }) => expect(elements).toMatchObject([{ card: { last4: '0027' } }])],
    ['?number4=0368', ({ elements }) => expect(elements).toMatchObject([{ card: { type: 'mastercard' } }])],
    ['?number4=1111', ({ total }) => expect(total).toBe(0)],
    ['?ext_invoiceid=I-1', ({ total }) => expect(total).toBe(4)],
    ['?ext_invoiceid=I-', ({ total }) => expect(total).toBe(0)],
    ['?mb_ref=123456789', ({ total }) => expect(total).toBe(0)],
    ['?phone=%2B351911234567&method=MBWAY', ({ total }) => expect(total).toBe(0)],
    [`?id=${randomUUID()}`, ({ total }) => expect(total).toBe(0)],
    ['?unknown=1', ({ total }) => expect(total).toBe(12)],
  ])('narrowed by %s', async (query, check) => check(await list(query)))

  it('is narrowed by id, and by Lisbon days, both ends included', async () => {
    expect(idsOf(await list(`?id=${ids[3]}`))).toEqual([ids[3]])
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(new Date())
    expect((await list(`?startdate=${day}&enddate=${day}`)).total).toBe(12)
    expect((await list(`?startdate=${day}`)).total).toBe(12)
    expect((await list('?enddate=2020-01-01')).total).toBe(0)
    expect((await list('?startdate=2999-01-01')).total).toBe(0)
  })

  it.each([
    ['?limit=0', 'limit must be'],
    ['?limit=x', 'limit must be'],
    ['?offset=-1', 'offset must be'],
    ['?offset=1.5', 'offset must be'],
    ['?offset=99999999999999999999', 'offset must be'],
    ['?startdate=21-11-2026', 'startdate must be'],
    ['?enddate=2026-02-30', 'enddate must be'],
    ['?startdate=2026-02-02&enddate=2026-02-01', 'enddate must'],
    ['?method=CASH', 'method must be one of'],
    ['?type=SALE', 'type must be one of'],
    ['?number4=12345', 'number4 must be'],
    ['?number4=1a', 'number4 must be'],
    ['?mb_ref=12', 'mb_ref must be'],
    ['?phone=11234567&method=MBWAY', 'phone must be a phone number with +'],
    ['?phone=%2B351911234567&method=CC', 'phone also needs method=MBWAY'],
    ['?id=12', 'id must be a UUID'],
    ['?parent=12', 'parent must be a UUID'],
    ['?limit=1&limit=2', 'limit must be given once: records per page, 1 to 30'],
    ['?offset=0&offset=0', 'offset must be given once: page number'],
    ['?type=AUTH&type=REFUND', 'type must be given once: one of PAYMENT, AUTH'],
    ['?startdate=2026-01-01&startdate=2026-01-02', 'startdate must be given once: first day in Lisbon time'],
    ['?ext_invoiceid=%00', 'ext_invoiceid'],
  ])('refuses %s', async (query, reason) => {
    const answer = await world.shop.get(`/api/v2/operations${query}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 10002, reason: expect.stringContaining(reason) },
    })
  })

  it('shows a wallet nothing of another', async () => {
    const stranger = world.merchant('Plain Shop')
    expect((await stranger.get('/api/v2/operations')).body).toEqual({ total: 0, elements: [] })
    expect((await stranger.get(`/api/v2/operations?id=${ids[0]}`)).body.total).toBe(0)
    expect(await stranger.get(`/api/v2/operations/${ids[0]}`)).toMatchObject({
      status: 404,
      body: { code: 10004 },
    })
  })
})

it('is read by its own wallet alone, however many read at the same moment', async () => {
  const stranger = world.merchant('Plain Shop')
  const paths = ids.map((id) => `/api/v2/operations/${id}`)
  const answers = await Promise.all(paths.flatMap((path) => [world.shop.get(path), stranger.get(path)]))
  expect(answers.map(({ status, body }) => (status === 200 ? body.id : status))).toEqual(
    ids.flatMap((id) => [id, 404]),
  )
})

it('is in every list asked for after it was made, and in no list of another wallet, however many ask at once', async () => {
  const stranger = world.merchant('Plain Shop')
  const rounds = Array.from({ length: 8 }, async (_, n) => {
    const made = await world.createCheckout({ payment: { amount: 1, currency: 'EUR', notes: `round ${n}` } })
    const lists = ['', '?limit=20', '?type=PAYMENT', ''].map((query) => list(query))
    const [strange, ...pages] = await Promise.all([stranger.get('/api/v2/operations'), ...lists])
    expect(strange.body).toEqual({ total: 0, elements: [] })
    for (const page of pages) expect(idsOf(page)).toContain(made.payment.id)
    expect(pages.map(({ elements }) => elements.length)).toEqual([
      10,
      expect.toSatisfy((rows) => rows > 10),
      10,
      10,
    ])
  })
  await Promise.all(rounds)
})

it.each(['', 'x', randomUUID(), '0'])('does not find operation "%s"', async (id) => {
  const answer = await world.shop.get(`/api/v2/operations/${id}`)
  if (id === '') expect(answer.status).toBe(200)
  else expect(answer).toMatchObject({ status: 404, body: { code: 10004 } })
})
