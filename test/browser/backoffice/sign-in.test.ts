// Sign-in, shell and error pages in a real browser.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectRoot } from '../../../src/kernel/project-root.ts'
import { openWorld } from '../../gateway-here.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, visit } from './visitor.ts'

let world: World
let browser: Browser

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
})
afterAll(() => Promise.all([browser?.close(), world?.stop()]))

it('signs an owner in, shows the merchant, and signs out', async () => {
  const visitor = await visit(world, browser)
  const { page } = visitor
  await page.goto(world.baseUrl)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await expectGoodLooks(visitor)
  await visitor.close()

  const owner = await visit(world, browser, 'owner@demo.example')
  await owner.page.getByRole('navigation').getByText('Demo Shop').waitFor()
  await owner.page.getByRole('heading', { level: 1 }).waitFor()
  await expectGoodLooks(owner)
  await owner.page.getByRole('button', { name: /Your account/ }).click()
  await owner.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await owner.page.waitForURL(/sign-in/)
  await owner.open('/wallets/1000/payments')
  await owner.page.waitForURL(/sign-in/)
  expect(owner.problems()).toEqual([])
  await owner.close()
})

it('says the same to a wrong password and to an unknown address, in Portuguese too', async () => {
  const { page, close, open } = await visit(world, browser, undefined, { locale: 'pt-PT' })
  await open('/sign-in')
  await page.getByRole('heading', { level: 1, name: 'Entrar' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-PT')
  const said: (string | null)[] = []
  for (const email of ['owner@demo.example', 'nobody@demo.example']) {
    await page.locator('input[type=email]').fill(email)
    await page.locator('input[type=password]').fill('certainly wrong')
    await page.locator('button[type=submit]').click()
    await expect.poll(() => page.locator('button[type=submit]').getAttribute('data-loading')).toBe(null)
    said.push(await page.getByRole('alert').first().textContent())
  }
  expect(said[0]).toBe(said[1])
  await close()
})

it('shows another merchant to nobody of another team', async () => {
  const { page, close, open } = await visit(world, browser, 'owner@plain.example')
  await open(`/wallets/${world.shop.wallet_id}/payments`)
  await page.getByRole('heading', { name: 'No access to this page' }).waitFor()
  await close()
})

const kibibyte = 1024

it('loads less than 200 KB, compressed, for the first view', async () => {
  const { page, close, open } = await visit(world, browser)
  const files = new Set<string>()
  page.on('request', (request) => {
    const name = /\/assets\/(.+)$/.exec(request.url())?.[1]
    if (name !== undefined) files.add(name)
  })
  await open('/')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  const sizes = [...files].map((file) => statSync(join(projectRoot, 'dist', 'web', `${file}.gz`)).size)
  expect(sizes.length).toBeGreaterThan(2)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200 * kibibyte)
  await close()
})
