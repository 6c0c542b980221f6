// Production with a bank by files.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountReport, endToEndId, type Line } from '../bank-statements.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from './world.ts'

const account = { iban: 'NL41MOCK0000000001', bic: 'MOCKNL2A' }
const debtor = 'PT50000201231234567890154'

let world: ProductionWorld
let shop: TestMerchant
let references = 0

beforeAll(async () => {
  world = await createProductionWorld()
  await world.start()
  shop = await world.merchant('Loja', 'SEPA,BANK')
  await world.cli('merchant', 'set', String(shop.id), '--iban', debtor)
  const settings = {
    ...{ name: 'Comporta Lda', creditor_id: 'DE98ZZZ09999999999', collections: 'pain.008.001.02' },
    ...account,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['--setting', `${name}=${value}`])
  expect(await world.cli('rails', 'set', 'bank-files', ...options)).toMatchObject({ driver_is: 'proven' })
})
afterAll(() => world?.stop())

const statusOf = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body.status

async function exported(): Promise<string> {
  const { files } = (await world.cli('bank', 'export')) as { files: { path: string }[] }
  expect(files).toHaveLength(1)
  return readFileSync(files[0]?.path ?? '', 'utf8')
}

async function booked(line: Omit<Line, 'reference'>): Promise<void> {
  references += 1
  const text = accountReport('statement', [{ ...line, reference: `R-${references}` }], { account })
  expect(await world.cli('bank', 'import', world.file(text))).toMatchObject({ entries: 1, matched: 1 })
}

const ofOperation = (id: string, amount: string) => ({ amount, details: [{ endToEndId: endToEndId(id) }] })
const balance = async () => Number((await world.cli('balance', String(shop.id))).balance)

async function paidByDebit(): Promise<string> {
  const { body } = await shop.call('/api/v2/checkout', {
    payment: { amount: 10, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const page = await openPage(world.local + new URL(body.url_redirect).pathname)
  await submit(page, formTo(page, '/sepa'), { holder: 'Ana Sousa', iban: debtor })
  const { id } = body.payment
  expect(await statusOf(id)).toBe('PENDING')
  const file = await exported()
  expect(file).toContain('xsd:pain.008.001.02')
  expect(file).toContain(account.iban)
  await booked(ofOperation(id, '10.00'))
  expect(await statusOf(id)).toBe('COMPLETED')
  return id
}

it('a debit is paid by the statement, and so is its refund', async () => {
  const methods = async () => (await shop.call('/api/v2/wallets/methods')).body.methods
  await expect.poll(methods).toContain('SEPA')
  const id = await paidByDebit()
  const { body: refund } = await shop.call(`/api/v2/operations/${id}/refund`, { amount: 4 })
  expect(refund).toMatchObject({ status: 'PENDING', amount: -4 })
  expect(await exported()).toContain(`<EndToEndId>${endToEndId(refund.id)}</EndToEndId>`)
  await booked(ofOperation(refund.id, '-4.00'))
  expect(await statusOf(refund.id)).toBe('COMPLETED')
})

it('a transfer tops the merchant up, and a booked payout leaves its balance', async () => {
  const { bank_reference: text } = await world.cli('balance', String(shop.id))
  const before = await balance()
  await booked({ amount: '20.00', details: [{ text: `top up ${text}` }] })
  expect(await balance()).toBe(before + 20)
  const payout = await world.cli('payout', '--wallet', String(shop.id), '--amount', '15.00')
  const id = String(payout.operation_id)
  expect(payout).toMatchObject({ status: 'PENDING', on_its_way: '15.00' })
  expect(await exported()).toContain('xsd:pain.001.001.09')
  await booked(ofOperation(id, '-15.00'))
  expect(await statusOf(id)).toBe('COMPLETED')
  expect(await balance()).toBe(before + 5)
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
})

it('a debit for an account outside the EEA has the address of its debtor, in any country', async () => {
  const ours = ['--setting', 'iban=GB29NWBK60161331926819', '--setting', 'bic=NWBKGB2L']
  await world.cli('rails', 'set', 'bank-files', ...ours)
  const { body } = await shop.call('/api/v2/checkout', {
    payment: { amount: 10, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const open = () => openPage(world.local + new URL(body.url_redirect).pathname)
  await expect.poll(async () => (await open()).text).toContain('The banks require the address')
  const page = await open()
  const form = { holder: 'Ana Sousa', iban: debtor }
  const asked = await submit(page, formTo(page, '/sepa'), form)
  expect(await statusOf(body.payment.id)).toBe('NEW')
  const address = { street: 'Rua do Cais 3', postalcode: '1000-001', city: 'Lisboa', country: 'PT' }
  await submit(asked, formTo(asked, '/sepa'), { ...form, ...address })
  expect(await statusOf(body.payment.id)).toBe('PENDING')
  expect(await exported()).toContain('<AdrLine>Rua do Cais 3</AdrLine><AdrLine>1000-001 Lisboa</AdrLine>')
})
