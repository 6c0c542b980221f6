// Developer pages in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../../gateway-here.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let owner: Visitor
let reader: Visitor
let path: string

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  path = `/wallets/${world.shop.wallet_id}/developers`
  owner = await visit(world, browser, 'owner@demo.example')
  reader = await visit(world, browser, 'reader@demo.example')
})
afterAll(async () => {
  expect([...(owner?.problems() ?? []), ...(reader?.problems() ?? [])]).toEqual([])
  await Promise.all([browser?.close(), world?.stop()])
})

const heading = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

it('an owner makes a key, sees it once, uses it, and revokes it', async () => {
  const { page, open } = owner
  await open(path)
  await heading(owner, 'API keys')
  await expectGoodLooks(owner)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Give the key a name').waitFor()
  await dialog.getByLabel('Name').fill('Till in Porto')
  await dialog.getByLabel('mandates').check()
  await expectGoodLooks(owner)
  await dialog.getByRole('button', { name: 'Create key' }).dblclick()
  const key = (await page.locator('[data-secret]').textContent()) ?? ''
  expect(key).toMatch(/^cmp_test_/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Copy' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).last().click()
  const row = page.getByRole('row', { name: /Till in Porto/ })
  await row.waitFor()
  expect(await row.count()).toBe(1)
  expect(await page.content()).not.toContain(key)

  const asked = () => world.request('/api/v2/operations', { headers: { authorization: `Comporta ${key}` } })
  expect((await asked()).status).toBe(200)
  await row.getByRole('button', { name: 'Revoke Till in Porto' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('Revoked').waitFor()
  expect((await asked()).status).toBe(401)
})

it('an owner replaces a secret, and both work for a day', async () => {
  const { page, open } = owner
  await open(`${path}/callbacks`)
  await heading(owner, 'Callbacks')
  await page.getByRole('button', { name: 'Replace: Signing secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  const secret = (await page.locator('[data-secret]').textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).last().click()
  await page.getByText('The old one works until').waitFor()
})

it('an owner sets the address, tests it, and sees why it fails', async () => {
  const { page, open } = owner
  await open(`${path}/callbacks`)
  const address = page.getByLabel('Callback address', { exact: true })
  await address.fill('shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('callback').waitFor()
  await address.fill(world.receiver.url('/from-page'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Received: your server answered 200').waitFor()
  expect(world.receiver.received('/from-page').map(({ body }) => JSON.parse(body).event)).toEqual(['ping'])
  await expectGoodLooks(owner)

  world.receiver.script('/from-page', { status: 503 })
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Not received: 503').waitFor()
  await page.getByText('Failing', { exact: true }).waitFor()
  world.receiver.script('/from-page', { status: 200 })
})

it('says so when a test is not over after 20 seconds, and leads to where it is seen', async () => {
  const { page } = owner
  const { promise: until, resolve: answer } = Promise.withResolvers<void>()
  world.receiver.script('/from-page', { before: () => until }, { status: 200 })
  await page.clock.install()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const outcome = page.getByRole('alert').filter({ hasText: 'No result after 20 seconds' })
  await world.eventually(async () => {
    await page.clock.runFor(500)
    return outcome.isVisible()
  })
  answer()
  await page.clock.resume()
  await outcome.getByRole('link', { name: 'Details of the test' }).click()
  await page.getByRole('heading', { name: 'Body, as sent' }).waitFor()
})

it('events are filtered, examined and sent again', async () => {
  const { page, open } = owner
  await open(`${path}/events`)
  await heading(owner, 'Events')
  await page.getByRole('row', { name: /Test.*Abandoned/ }).waitFor()
  await expectGoodLooks(owner)
  await open(`${path}/events?state=failed`)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('heading', { name: 'Body, as sent' }).waitFor()
  expect(await page.content()).toContain('[hidden]')
  await expectGoodLooks(owner)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  await open(`${path}/events?state=failed`)
  await page.getByText('No results').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('row', { name: /Test/ }).first().waitFor()
})

it('an owner adds an endpoint by keyboard, sees its secrets once, tests, pauses and deletes it', async () => {
  const { page, open } = owner
  await open(`${path}/callbacks`)
  const section = page.getByRole('region', { name: 'Further endpoints' })
  await section.getByText('No further endpoint.').waitFor()
  await section.getByRole('button', { name: 'New endpoint' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').press('Enter')
  await dialog.getByText('Give the endpoint an address').waitFor()
  await dialog.getByLabel('Address').fill(world.receiver.url('/stock'))
  await dialog.getByLabel('Description').fill('Stock')
  await dialog.getByRole('checkbox', { name: 'Charge' }).press('Space')
  await expectGoodLooks(owner)
  await dialog.getByLabel('Description').press('Enter')
  await page.getByText('Secrets of the new endpoint').waitFor()
  const [signing = '', password = ''] = await page.locator('[data-secret]').allTextContents()
  expect(signing).toMatch(/^whsec_/)
  expect(password).toMatch(/^\w{40}$/)
  await expectGoodLooks(owner)
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  const panel = section.getByRole('article', { name: 'endpoint 2' })
  await panel.getByText('2. Stock').waitFor()
  expect(await page.content()).not.toContain(password)

  await panel.getByRole('button', { name: 'Test: endpoint 2' }).press('Enter')
  await world.receiver.waitFor('/stock', 1)
  await panel.getByRole('button', { name: 'Deliveries: endpoint 2' }).press('Enter')
  await dialog.getByRole('row', { name: /Test.*Delivered.*200/ }).waitFor()
  await expectGoodLooks(owner)
  await dialog.getByRole('button', { name: /^Send again: Test/ }).press('Enter')
  await world.receiver.waitFor('/stock', 2)
  await page.keyboard.press('Escape')

  await panel.getByRole('button', { name: 'Edit: endpoint 2' }).press('Enter')
  await dialog.getByRole('checkbox', { name: 'Charge' }).press('Space')
  await dialog.getByRole('button', { name: 'Save changes' }).press('Enter')
  await panel.getByText('Every kind').waitFor()
  await panel.getByRole('button', { name: 'Pause: endpoint 2' }).press('Enter')
  await dialog.getByRole('button', { name: 'Pause' }).press('Enter')
  await panel.getByText('Paused', { exact: true }).waitFor()
  await expectGoodLooks(owner)
  await panel.getByRole('button', { name: 'Replace signing secret: endpoint 2' }).press('Enter')
  await dialog.getByRole('button', { name: 'Replace signing secret' }).press('Enter')
  await page.getByText('The new secret', { exact: true }).waitFor()
  expect(await page.locator('[data-secret]').textContent()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).press('Enter')

  const portuguese = await visit(world, browser, 'owner@demo.example', { locale: 'pt-PT' })
  await portuguese.open(`${path}/callbacks`)
  const painel = portuguese.page.getByRole('article', { name: 'endereço 2' })
  await painel.getByText('Em pausa').waitFor()
  await expectGoodLooks(portuguese)
  await painel.getByRole('button', { name: 'Eliminar: endereço 2' }).press('Enter')
  await portuguese.page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).press('Enter')
  await portuguese.page.getByText('Não há mais endereços.').waitFor()
  await portuguese.close()
})

it('requests are found by their refusal and shown without secrets', async () => {
  const refused = await world.shop.post('/api/v2/checkout', {
    payment: { amount: -3, currency: 'EUR' },
    pin: 'PIN-4711',
  })
  const { page, open } = owner
  await open(`${path}/requests?status=4`)
  await heading(owner, 'Requests')
  const row = page.getByRole('row', { name: /POST \/api\/v2\/checkout/ })
  await world.eventually(async () => {
    if ((await row.count()) > 0) return true
    await page.reload()
    await heading(owner, 'Requests')
    return false
  })
  await expectGoodLooks(owner)
  await open(`${path}/requests?tid=${refused.body.tid}`)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByText('Our answer').waitFor()
  const shown = await page.content()
  expect(shown).toContain(refused.body.tid)
  expect(shown).not.toContain('PIN-4711')
  await expectGoodLooks(owner)
})

it('a read-only user cannot change anything, in Portuguese too', async () => {
  const { page, open } = reader
  await open(path)
  await heading(reader, 'API keys')
  await page.getByRole('row').nth(1).waitFor()
  await page.getByText('With the role Read only you can view this page').waitFor()
  expect(await page.getByRole('button', { name: /New key|Revoke/ }).count()).toBe(0)
  await open(`${path}/callbacks`)
  await page.getByRole('heading', { name: 'Secrets' }).waitFor()
  expect(await page.getByLabel('Callback address', { exact: true }).isEditable()).toBe(false)
  expect(await page.getByRole('button', { name: /Save|Replace|test/ }).count()).toBe(0)
  await expectGoodLooks(reader)
  await open(`${path}/events`)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('heading', { name: 'Headers' }).waitFor()
  expect(await page.getByRole('button', { name: /again/ }).count()).toBe(0)
  const foreign = await visit(world, browser, 'reader@demo.example', { locale: 'pt-PT' })
  await foreign.open(`${path}/requests`)
  await heading(foreign, 'Pedidos')
  await foreign.close()
})
