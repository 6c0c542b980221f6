// Home and payment pages in a real browser.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizing } from '../../authorizing.ts'
import { openWorld } from '../../gateway-here.ts'
import { type SignedIn, signIn } from '../../people.ts'
import { payByToken } from '../../stored-cards.ts'
import { cards, type Json, type World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let owner: Visitor
let reader: Visitor
let asOwner: SignedIn
let token: string
const { storeCard, authorize } = authorizing(() => world)

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  token = await storeCard()
  for (let n = 1; n <= 60; n++) await payByToken(world, token, { ext_invoiceid: `INV-${n}` })
  ;[owner, reader] = await Promise.all([
    visit(world, browser, 'owner@demo.example'),
    visit(world, browser, 'reader@demo.example'),
  ])
  asOwner = await signIn(world, 'owner@demo.example')
})
afterAll(async () => {
  await Promise.all([browser?.close(), world?.stop()])
})

const wallet = () => `/wallets/${world.shop.wallet_id}`
const dialog = (page: Page) => page.getByRole('dialog')

async function openPayment({ open, page }: Visitor, id: string): Promise<void> {
  await open(`${wallet()}/payments/${id}`)
  await page.getByRole('heading', { name: 'History' }).waitFor()
}

describe('home', () => {
  it('shows sales and pending matters with the counts of the API', async () => {
    await world.shop.post('/api/v2/mb/pay', { amount: 12.5, currency: 'EUR', method: 'MB', type: 'PAYMENT' })
    const { body } = await asOwner.get(`${wallet()}/home`)
    expect(body.today).toMatchObject({ amount: 600, payments: 60, amount_before: 0 })
    expect(body.methods[0]).toMatchObject({ method: 'CC', completed: 60, failed: 0, amount: 600 })
    expect(body.waiting.references).toEqual({ count: 1, amount: 12.5 })
    await owner.open(wallet())
    await owner.page.getByRole('region', { name: 'Today' }).getByText('€600.00').waitFor()
    await owner.page
      .getByRole('img', { name: /Amounts sold/ })
      .locator('svg')
      .first()
      .waitFor()
    await owner.page.getByRole('link', { name: 'Open Multibanco references' }).waitFor()
    await expectGoodLooks(owner)
    await owner.page.getByRole('link', { name: 'Open Multibanco references' }).click()
    await owner.page.getByRole('row').nth(1).getByText('€12.50').waitFor()
    expect(owner.problems()).toEqual([])
  })
})

describe('payments', () => {
  it('are one endless list with the filters of the address', async () => {
    const { page, open } = reader
    await open(`${wallet()}/payments`)
    await page.getByText('Loading more').waitFor()
    await expectGoodLooks(reader)
    await page.mouse.wheel(0, 100_000)
    await page.getByText('Payments shown: 61.').waitFor()
    await page.getByLabel('Search payments').fill('inv-42')
    await page.getByText('Payments shown: 1.').waitFor()
    await page.waitForURL(/text=inv-42/)
    await page.reload()
    await page.getByText('Payments shown: 1.').waitFor()
    await page.getByText('Refunds', { exact: true }).click()
    await page.getByText('No results').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.waitForURL((url) => url.search === '')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Minimum amount').fill('12')
    await page.getByLabel('Minimum amount').press('Enter')
    await page.getByText('Payments shown: 1.').waitFor()
    expect(reader.problems()).toEqual([])
  })

  it('say which filter cannot be read', async () => {
    const said = await asOwner.get(`${wallet()}/payments?from=yesterday`)
    expect(said).toMatchObject({
      status: 400,
      body: { code: 10002, reason: expect.stringContaining('from') },
    })
    await reader.open(`${wallet()}/payments?from=yesterday`)
    await reader.page.getByRole('alert').getByText('from must be a day').waitFor()
  })

  it('are exported as a file of which no cell is a formula', async () => {
    await payByToken(world, token, { ext_invoiceid: '=1+1', amount: 77 })
    const { text, headers } = await asOwner.get(`${wallet()}/payments.csv?min=77&max=77`)
    expect(headers.get('content-disposition')).toMatch(/payments-\d{4}-\d\d-\d\d\.csv/)
    const [head, line, ...rest] = text.trim().split('\r\n')
    expect(head).toMatch(/^id,date,type,status/)
    expect(line).toContain(',77.00,')
    expect(line).toContain(",'=1+1,")
    expect(rest).toEqual([])
    const european = await asOwner.get(`${wallet()}/payments.csv?min=77&max=77&separator=semicolon`)
    expect(european.text).toContain(';77,00;')
    expect((await asOwner.get(`${wallet()}/payments.csv`)).text.trim().split('\r\n')).toHaveLength(63)
  })

  it.each([
    ['en-GB', 'Export', 'comma', ',77.00,'],
    ['pt-PT', 'Exportar', 'semicolon', ';77,00;'],
  ])('are a file for the spreadsheet of the language %s', async (locale, label, separator, amount) => {
    const { page, open, close } = await visit(world, browser, 'owner@demo.example', { locale })
    await open(`${wallet()}/payments?min=77&max=77`)
    const link = page.getByRole('link', { name: label, exact: false })
    expect(await link.getAttribute('href')).toContain(`separator=${separator}`)
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(await readFile(await download.path(), 'utf8')).toContain(amount)
    await close()
  })
})

describe('a payment', () => {
  it('tells its whole story', async () => {
    const paid: Json = await payByToken(world, token, { callback: world.receiver.url('/operation') })
    await world.shop.post(`/api/v2/operations/${paid.id}/refund`, { amount: 3 })
    await world.eventually(async () => {
      const { body } = await asOwner.get(`${wallet()}/payments/${paid.id}`)
      return body.timeline.some(({ kind }: Json) => kind === 'delivery')
    })
    const { body } = await asOwner.get(`${wallet()}/payments/${paid.id}`)
    const kinds = body.timeline.map(({ kind, word }: Json) => (word === undefined ? kind : `${kind} ${word}`))
    for (const kind of [
      'made PAYMENT',
      'settled COMPLETED',
      'booked settle',
      'made REFUND',
      'event COMPLETED',
    ])
      expect(kinds).toContain(kind)
    expect(body.left).toEqual({ refund: 7, ...(body.left.split && { split: 10 }) })
    expect(body.family.map(({ type }: Json) => type)).toEqual(['PAYMENT', 'REFUND'])
    await openPayment(reader, paid.id)
    await reader.page.getByRole('region', { name: 'History' }).getByText('Callback sent').first().waitFor()
    await reader.page
      .getByRole('region', { name: 'Related operations' })
      .getByRole('link', { name: 'Refund' })
      .waitFor()
    await expectGoodLooks(reader)
    expect(await reader.page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
    const foreign = await signIn(world, 'owner@plain.example')
    const others = `/wallets/${foreign.session.wallets[0].id}/payments/${paid.id}`
    expect(await foreign.get(others)).toMatchObject({ status: 404 })
  })

  it('made on a hosted page tells its attempts, with 3-D Secure, and the requests that asked for it', async () => {
    const made = await world.createCheckout({ request_id: randomUUID() })
    await world.payOnPage(made, cards.frictionless)
    const { body } = await asOwner.get(`${wallet()}/payments/${made.payment.id}`)
    expect(body.belongs_to).toEqual({ checkout: made.id })
    const kinds = body.timeline.map(({ kind }: Json) => kind)
    for (const kind of ['asked', 'made', 'attempt', 'authenticated', 'attempt_ended', 'settled', 'booked'])
      expect(kinds).toContain(kind)
    const firsts = ['asked', 'made', 'attempt', 'authenticated', 'attempt_ended', 'settled', 'booked']
    expect([...firsts].sort((one, other) => kinds.indexOf(one) - kinds.indexOf(other))).toEqual(firsts)
    const times = body.timeline.map(({ at }: Json) => at)
    expect(times).toEqual([...times].sort())
    expect(JSON.stringify(body)).not.toContain(cards.frictionless.number)
  })

  it('is refunded once on a double click, after a preview', async () => {
    const paid: Json = await payByToken(world, token)
    const { page } = owner
    await openPayment(owner, paid.id)
    await page.getByRole('button', { name: 'Refund' }).click()
    await dialog(page).getByLabel('Amount').fill('100')
    await dialog(page).getByText('More than the remaining amount').waitFor()
    await dialog(page).getByLabel('Amount').fill('4')
    await dialog(page).getByText('from your balance to the provider').waitFor()
    await expectGoodLooks(owner)
    await dialog(page)
      .getByRole('button', { name: /Refund €4/ })
      .dblclick()
    await dialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('region', { name: 'Details' }).getByText('€4.00').waitFor()
    expect(await page.getByRole('alert').filter({ hasText: 'Refunded' }).count()).toBe(1)
    const story = page.getByRole('region', { name: 'History' })
    await story.getByText(/Refund · Request of .+ \(Owner\)/).waitFor()
    await story.getByText('Payment requested').waitFor()
    await story
      .getByText(/\d\d:\d\d:\d\d/)
      .first()
      .waitFor()
    await owner.open(`${wallet()}/team`)
    const deeds = page.getByRole('row', { name: /Refund an operation.*€4\.00/ })
    await deeds.first().waitFor()
    expect(await deeds.count()).toBe(1)
    await deeds.getByRole('link').click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    expect(page.url()).toContain(paid.id)
    const { body } = await world.shop.get(`/api/v2/operations?parent=${paid.id}`)
    expect(body).toMatchObject({ total: 1, elements: [{ amount: -4 }] })
    expect(owner.problems()).toEqual([])
  })

  it('says that somebody else refunded it meanwhile, and how it stands', async () => {
    const paid: Json = await payByToken(world, token)
    const { page } = owner
    await openPayment(owner, paid.id)
    await page.getByRole('button', { name: 'Refund' }).click()
    await dialog(page).getByText('from your balance to the provider').waitFor()
    await world.shop.post(`/api/v2/operations/${paid.id}/refund`, { amount: 6 })
    await dialog(page)
      .getByRole('button', { name: /Refund €10/ })
      .click()
    await dialog(page).getByText('This payment has changed in the meantime').waitFor()
    await dialog(page).getByText('At most €4.00 of €10.00').waitFor()
    await dialog(page).getByText('More than the remaining amount').waitFor()
    await expectGoodLooks(owner)
    await dialog(page).getByLabel('Amount').fill('2,5')
    await dialog(page).getByRole('button', { name: 'Refund €2.50' }).click()
    await page.getByRole('region', { name: 'Details' }).getByText('€8.50').waitFor()
    expect((await world.shop.get(`/api/v2/operations?parent=${paid.id}`)).body.total).toBe(2)
  })

  it('that is an authorization is captured, and then cannot be released', async () => {
    const held = await authorize(token, 20)
    const { page } = owner
    await openPayment(owner, held.id)
    await page.getByRole('button', { name: 'Capture' }).click()
    await dialog(page).getByLabel('Amount').fill('5')
    await dialog(page).getByText('After the first capture you cannot release anything').waitFor()
    await dialog(page).getByText('from the provider to your balance').waitFor()
    await dialog(page)
      .getByRole('button', { name: /Capture €5/ })
      .click()
    await dialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Capture' }).waitFor()
    expect(await page.getByRole('button', { name: 'Release' }).count()).toBe(0)
    const { body } = await asOwner.get(`${wallet()}/payments/${held.id}`)
    expect(body.left).toEqual({ capture: 15 })

    await owner.open(`${wallet()}/authorizations`)
    await page
      .getByRole('button', { name: /Capture from/ })
      .first()
      .click()
    await dialog(page).getByText('At most €15.00: the rest of €20.00').waitFor()
    expect(await dialog(page).getByText('you cannot release anything').count()).toBe(0)
    await dialog(page).getByText('Left afterwards: €0.00').waitFor()
    await world.shop.post(`/api/v2/authorizations/${held.id}/capture`, { amount: 9 })
    await dialog(page).getByRole('button', { name: 'Capture', exact: true }).click()
    await dialog(page).getByText('At most €6.00: the rest of €20.00').waitFor()
    await dialog(page).getByLabel('Amount in euros').fill('1')
    await dialog(page).getByRole('button', { name: 'Capture', exact: true }).click()
    await page.getByText('Captured', { exact: true }).last().waitFor()
    await dialog(page).waitFor({ state: 'hidden' })
  })

  it('that is an authorization is released once, in part, after a preview', async () => {
    const held = await authorize(token, 20)
    const { page } = owner
    await openPayment(owner, held.id)
    await page.getByRole('button', { name: 'Release' }).click()
    await dialog(page).getByLabel('Amount').fill('21')
    await dialog(page).getByText('More than the remaining amount').waitFor()
    await dialog(page).getByLabel('Amount').fill('5')
    await dialog(page).getByText('No postings: the money was never taken.').waitFor()
    await dialog(page)
      .getByRole('button', { name: /Release €5/ })
      .dblclick()
    await dialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Release' }).waitFor()
    const { body } = await asOwner.get(`${wallet()}/payments/${held.id}`)
    expect(body.left).toEqual({ capture: 15, release: 15 })
  })

  it('is split once among wallets, after a preview', async () => {
    const paid: Json = await payByToken(world, token)
    const { page } = owner
    const [first, second] = ['Sub Shop A', 'Sub Shop B'].map((name) => world.merchant(name).public_id)
    await openPayment(owner, paid.id)
    await page.getByRole('button', { name: 'Split' }).click()
    const wallets = dialog(page).getByLabel('Public id of the wallet')
    const split = dialog(page).getByRole('button', { name: 'Split' })
    await wallets.fill('nobody')
    await dialog(page).getByText('Enter the public id of a wallet.').waitFor()
    expect(await split.isDisabled()).toBe(true)
    await wallets.fill(first as string)
    await dialog(page).getByLabel('Amount').fill('4')
    await dialog(page).getByText(`from your balance to wallet ${first}`).waitFor()
    await dialog(page).getByRole('button', { name: 'Add a wallet' }).click()
    await wallets.nth(1).fill(second as string)
    await dialog(page).getByLabel('Amount').nth(1).fill('100')
    await dialog(page).getByRole('alert').waitFor()
    expect(await split.isDisabled()).toBe(true)
    await dialog(page).getByLabel('Amount').nth(1).fill('2,50')
    await dialog(page).getByText(`from your balance to wallet ${second}`).waitFor()
    await expectGoodLooks(owner)
    const shown = await dialog(page)
      .getByText(/from your balance to wallet/)
      .allTextContents()
    await split.dblclick()
    await dialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('region', { name: 'History' }).getByText('Split among wallets').waitFor()
    expect(await page.getByRole('button', { name: 'Split' }).count()).toBe(0)
    const { body } = await world.shop.get(`/api/v2/operations/${paid.id}`)
    const shares = body.splits.elements.map(({ amount }: Json) => amount)
    expect(shares.sort()).toEqual(shown.map((text) => /€([\d.]+)/.exec(text)?.[1]).sort())
    expect(shares).toHaveLength(2)
    expect(owner.problems()).toEqual([])
  })

  it('with scripts, right-to-left or very long text stays plain text without wider pages', async () => {
    const script = '<script>document.title="no"</script>'
    const hostile = `${script}\u202E${'Donaudampfschifffahrt'.repeat(20)}`
    const payment = {
      amount: 91,
      currency: 'EUR',
      ext_invoiceid: `\u202E${script}`,
      notes: hostile.slice(0, 255),
    }
    const made = await world.createCheckout({
      payment: { ...payment, client: { name: hostile.slice(0, 200), email: 'ana@example.com' } },
    })
    await world.payOnPage(made, cards.frictionless)
    const refused = await world.shop.post('/api/v2/checkout', {
      payment: { ...payment, notes: script + 'x'.repeat(5000) },
    })
    const eventOf = async () => {
      const { body } = await asOwner.get(`${wallet()}/developers/events?subject=${made.payment.id}`)
      return body.events[0]?.id
    }
    const logged = `${wallet()}/developers/requests/${refused.body.tid}`
    await world.eventually(async () => (await asOwner.get(logged)).status === 200)
    const day = made.payment.date.slice(0, 10)
    const { page, open } = reader
    for (const path of [
      '/payments?min=91&max=91',
      `/payments/${made.payment.id}`,
      `/statement/${day}`,
      `/developers/events/${await world.eventually(eventOf)}`,
      `/developers/requests/${refused.body.tid}`,
    ]) {
      await open(wallet() + path)
      await page.getByText('<script>').filter({ visible: true }).first().waitFor()
      expect(await page.title()).not.toBe('no')
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: path })
          .toBeLessThanOrEqual(width)
      }
    }
    await openPayment(reader, made.payment.id)
    await expectGoodLooks(reader)
    expect(reader.problems()).toEqual([])
  })
})
