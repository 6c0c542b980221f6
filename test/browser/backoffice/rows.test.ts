// Clicks on rows of lists.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizing } from '../../authorizing.ts'
import { openWorld } from '../../gateway-here.ts'
import { payByToken } from '../../stored-cards.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { addressOf, backofficePages, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let owner: Visitor
let operator: Visitor
const { storeCard } = authorizing(() => world)

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  await payByToken(world, await storeCard(), { ext_invoiceid: 'ROW-1' })
  ;[owner, operator] = await Promise.all([
    visit(world, browser, 'owner@demo.example'),
    visit(world, browser, 'operator@demo.example'),
  ])
})
afterAll(async () => {
  await Promise.all([browser?.close(), world?.stop()])
})

const payments = () => `/wallets/${world.shop.wallet_id}/payments`
const rowOf = ({ page }: Visitor) =>
  page.locator('.table-frame tbody tr:has(a[href^="/backoffice/"])').first()
const openedLists: string[] = []
const lists = backofficePages.filter(({ path }) => !path.includes('$'))

describe('every list', () => {
  it.each(lists)('of $of at "$path" opens by a click next to the link', async (list) => {
    const visitor = list.of === 'operator' ? operator : owner
    await visitor.open(addressOf(world, list))
    await visitor.page.waitForLoadState('networkidle')
    const row = rowOf(visitor)
    // Empty lists have no such row.
    if ((await row.count()) === 0) return
    const href = await row.locator('a[href^="/backoffice/"]').first().getAttribute('href')
    const cell = row.locator('td:not(:has(a, button, input))').first()
    if ((await cell.count()) === 0) return
    await cell.click()
    await visitor.page.waitForURL((url) => url.pathname + url.search === href)
    openedLists.push(list.path)
  })

  it('was among them where this world has rows', () => {
    for (const path of ['/payments', '/developers/events', '/merchants']) expect(openedLists).toContain(path)
  })
})

describe('a row', () => {
  it.each<[string, object]>([
    ['the middle button', { button: 'middle' }],
    ['Ctrl', { modifiers: ['Control'] }],
  ])('opens next to the list by %s', async (_, how) => {
    await owner.open(payments())
    const row = rowOf(owner)
    const href = await row.locator('a').first().getAttribute('href')
    const [opened] = await Promise.all([
      owner.context.waitForEvent('page'),
      row.locator('td').last().click(how),
    ])
    await opened.waitForURL(`**${href}`)
    expect(owner.page.url()).toContain(payments())
    await opened.close()
  })

  it('opens by Enter on its link', async () => {
    await owner.open(payments())
    await rowOf(owner).locator('a').first().press('Enter')
    await owner.page.waitForURL(/payments\/[0-9a-f-]{36}$/)
  })

  it('stays while its text is being marked', async () => {
    await owner.open(payments())
    const box = await rowOf(owner).locator('td').last().boundingBox()
    if (box === null) throw new Error('the row is not shown')
    const { x, y, width, height } = box
    await owner.page.mouse.move(x + 14, y + height / 2)
    await owner.page.mouse.down()
    await owner.page.mouse.move(x + width - 10, y + height / 2, { steps: 5 })
    await owner.page.mouse.up()
    expect(await owner.page.evaluate<string>('String(getSelection())')).not.toBe('')
    expect(new URL(owner.page.url()).pathname).toBe(`/backoffice${payments()}`)
  })
})
