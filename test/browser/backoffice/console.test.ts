// Console output of the backoffice pages.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../gateway-here.ts'
import { ibans, moneyOf } from '../../money.ts'
import { subscribersOf } from '../../subscribers.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { addressOf, backofficePages, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), world?.stop()]))

const signInTitle = (visitor: Visitor) =>
  visitor.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

describe('somebody who is not signed in', () => {
  it.each(['', '/', '/sign-in', '/wallets/1000/payments', '/operator'])('opens "%s"', async (path) => {
    const visitor = await visit(world, browser)
    await visitor.open(path)
    await signInTitle(visitor)
    await visitor.page.waitForLoadState('networkidle')
    expect(visitor.complaints()).toEqual([])
    await visitor.close()
  })

  it('signed out, and opens the page again', async () => {
    const visitor = await visit(world, browser, 'owner@demo.example')
    await visitor.page.getByRole('button', { name: /Your account/ }).click()
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await signInTitle(visitor)
    await visitor.open('')
    await signInTitle(visitor)
    expect(visitor.complaints()).toEqual([])
    expect((await visitor.context.cookies()).map(({ name }) => name)).toEqual(['comporta.device'])
    await visitor.close()
  })

  it('was signed in until the session ended elsewhere, which costs one refusal', async () => {
    const visitor = await visit(world, browser, 'reader@demo.example')
    const session = (await visitor.context.cookies()).find(({ name }) => name === 'comporta.session_token')
    expect(session).toBeDefined()
    // Requests of the old page would fail after the new page is open, so they must end first.
    await visitor.page.goto('about:blank')
    await visitor.context.clearCookies({ name: 'comporta.session_token' })
    for (const _ of [1, 2]) {
      await visitor.open('')
      await signInTitle(visitor)
      await visitor.page.waitForLoadState('networkidle')
    }
    expect(visitor.complaints()).toEqual([expect.stringMatching(/401 .*\/backoffice\/api\/session$/)])
    await visitor.close()
  })
})

describe.each([
  ['an owner', 'owner@demo.example', ['wallet', 'own']],
  ['an operator', 'operator@demo.example', ['wallet', 'operator', 'own']],
])('%s', (_, email, kinds) => {
  let visitor: Visitor

  beforeAll(async () => {
    const { funds, sandbox } = moneyOf(world)
    const { bank_reference } = await funds()
    await sandbox('bank/transfer', { reference_text: bank_reference, amount: 900 })
    await subscribersOf(world).accepted()
    await world.shop.post('/api/v2/customers', { name: 'Ana Silva' })
    await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', ibans.paid)
    const { status, text } = await world.shop.post('/api/v2/payouts', { amount: 10, currency: 'EUR' })
    expect(status, text).toBe(200)
    visitor = await visit(world, browser, email)
  })
  afterAll(() => visitor?.close())

  /** For the page of a record, opens the first link of its list. */
  async function openPage(address: string): Promise<void> {
    const [list = '', ...isOfOne] = address.split('/$')
    await visitor.open(list)
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    if (isOfOne.length > 0) {
      await visitor.page.locator(`#page a[href^="/backoffice${list}/"]`).first().click()
      await visitor.page.waitForURL((url) => url.pathname.startsWith(`/backoffice${list}/`))
      await visitor.page.reload()
      await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    }
    await visitor.page.waitForLoadState('networkidle')
  }

  it.each(backofficePages.filter(({ of }) => kinds.includes(of)))('opens $of "$path"', async (page) => {
    const before = visitor.complaints().length
    await openPage(addressOf(world, page))
    expect(visitor.complaints().slice(before)).toEqual([])
  })
})
