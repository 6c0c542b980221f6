// Races on checkouts, of which one caller wins.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage, type Page, type PageForm, submit } from '../browserless.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld('postgres')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const rounds = 12
const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }

it('of many DELETEs at once one wins', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id } = await world.createCheckout()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => world.shop.delete(`/api/v2/checkout/${id}`)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(9).fill(409)])
  }
})

it('a DELETE and a customer who chooses a method: one of them wins', async () => {
  for (let round = 0; round < rounds * 2; round++) {
    const checkout = await world.createCheckout()
    const page = await openPage(checkout.url_redirect)
    // Each round waits for another time, because no single moment separates the two requests.
    const pause = new Promise((resolve) => setTimeout(resolve, round % 6))
    const [deleted] = await Promise.all([
      pause.then(() => world.shop.delete(`/api/v2/checkout/${checkout.id}`)),
      submit(page, formTo(page, '/card'), typed),
    ])
    const { status } = await world.eventually(async () => {
      const operation = await world.operation(checkout.payment.id)
      return ['COMPLETED', 'VOIDED'].includes(operation.status) && operation
    })
    expect(status).toBe(deleted.status === 200 ? 'VOIDED' : 'COMPLETED')
  }
})

it('of 40 cards sent at once at most 20 are tried', async () => {
  const checkout = await world.createCheckout()
  const page = await openPage(checkout.url_redirect)
  const number = cards.rejected.number
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      submit(page, formTo(page, '/card'), { ...typed, number, attempt: randomUUID() }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
  const tooMany = await submit(page, formTo(page, '/card'), { ...typed, attempt: randomUUID() })
  expect(tooMany.text).toContain('Too many cards were tried')
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
})

it('two customers with two cards pay one checkout once', async () => {
  for (let round = 0; round < rounds; round++) {
    const checkout = await world.createCheckout()
    const pages = await Promise.all(Array.from({ length: 4 }, () => openPage(checkout.url_redirect)))
    await Promise.all(pages.map((page) => submit(page, formTo(page, '/card'), typed)))
    await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
  }
})

it('a second card during the bank’s confirmation of the first: both get an answer, and one pays', async () => {
  const asksForCode = ({ fields }: PageForm) => 'otp' in fields
  for (let round = 0; round < rounds * 2; round++) {
    const checkout = await world.createCheckout()
    const [first, second] = [await openPage(checkout.url_redirect), await openPage(checkout.url_redirect)]
    let bank = await submit(first, formTo(first, '/card'), { ...typed, number: cards.challenge.number })
    for (let step = 0; step < 4 && !bank.forms.some(asksForCode); step++) {
      bank = await submit(bank, bank.forms[0] as PageForm)
    }
    const code = bank.forms.find(asksForCode) as PageForm
    // Each round waits for another time, because no single moment separates the two requests.
    const pause = new Promise((resolve) => setTimeout(resolve, round % 12))
    const answers = await Promise.all([
      submit(bank, code, { otp: cards.challenge.otp }),
      pause.then(() => submit(second, formTo(second, '/card'), typed)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
  }
})

it('one request_id sent by 50 at once makes one checkout and 50 equal answers', async () => {
  const request_id = randomUUID()
  const body = {
    payment: { amount: 5, currency: 'EUR', ext_invoiceid: `R-${request_id}` },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
    request_id,
  }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.shop.post('/api/v2/checkout', body)),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  const { total } = (await world.shop.get(`/api/v2/operations?ext_invoiceid=R-${request_id}`)).body
  expect(total).toBe(1)
})

it('cards, cancels, DELETEs and expiry at once on the same checkouts: each request gets an answer', async () => {
  const several = await startWorld('postgres', { WORKERS: '2' })
  try {
    for (let round = 0; round < 3; round++) {
      const checkouts: Json[] = await Promise.all(Array.from({ length: 16 }, () => several.createCheckout()))
      const pages = await Promise.all(checkouts.map(({ url_redirect }) => openPage(url_redirect)))
      const shuffled = [...checkouts.keys()].sort(() => Math.random() - 0.5)
      const statuses = await Promise.all([
        ...pages.flatMap((page) =>
          [0, 1].map(async () => {
            const answer = await submit(page, formTo(page, '/card'), { ...typed, attempt: randomUUID() })
            return answer.status
          }),
        ),
        ...pages.toReversed().map((page) => postCancel(page)),
        ...shuffled.map(async (index) => {
          return (await several.shop.delete(`/api/v2/checkout/${checkouts[index]?.id}`)).status
        }),
        several.advance('P2D').then(() => 200),
      ])
      const odd = statuses.filter((status) => ![200, 303, 409].includes(status))
      expect(odd, several.output().slice(-4000)).toEqual([])
      await several.eventually(async () => {
        const seen = await Promise.all(checkouts.map(({ payment }) => several.operation(payment.id)))
        // If the clock passes the end before the call, the gateway does not ask the acquirer. The resolver ends the
        // payment later.
        if (seen.some(({ status }) => status === 'PENDING')) await several.advance('PT10M')
        return seen.every(({ status }) => ['COMPLETED', 'FAIL', 'VOIDED'].includes(status))
      })
    }
    expect((await several.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  } finally {
    await several.stop()
  }
})

async function postCancel(page: Page): Promise<number> {
  const url = new URL(formTo(page, '/cancel').action, page.url)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await fetch(url, { method: 'POST', redirect: 'manual', headers, body: '' })).status
}
