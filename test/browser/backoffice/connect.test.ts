// An operator connects a provider in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPerson, publicWorld } from '../../backoffice/production-operator.ts'
import { type Provider, startProvider } from '../../connections/provider.ts'
import { createProductionWorld, type ProductionWorld } from '../../connections/world.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

const token = 'a-very-secret-token'
let world: ProductionWorld
let provider: Provider
let browser: Browser
let operator: Visitor

beforeAll(async () => {
  ;[world, provider, browser] = await Promise.all([
    createProductionWorld(),
    startProvider(new Set()),
    openBrowser(),
  ])
  provider.open('own', token)
  await world.start()
  const { cookie } = await newPerson(world, 'operator@example.com', '--operator')
  const { baseUrl } = publicWorld(world)
  operator = await visit({ baseUrl } as World, browser, undefined, { serviceWorkers: 'block' })
  const cookies = cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: baseUrl, secure: true }
  })
  await operator.context.addCookies(cookies)
  // The public address of a gateway in production is https, so the browser's requests are passed on.
  await operator.context.route(`${baseUrl}/**`, async (route) => {
    const url = route.request().url().replace(baseUrl, world.local)
    const headers = await route.request().allHeaders()
    await route.fulfill({ response: await route.fetch({ url, headers, maxRedirects: 0 }) })
  })
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await provider?.close()
})

it('fills in the form by keyboard on a phone, and sees the checks and the steps', async () => {
  const { page, open } = operator
  await page.setViewportSize({ width: 390, height: 900 })
  await open('/operator/rails')
  await page.getByRole('button', { name: 'Connect a provider' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const driver = dialog.getByLabel('Driver')
  await driver.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('testw')
  await expect.poll(() => driver.inputValue()).toBe('testwallet')
  await dialog.getByText('Token of the account.').waitFor()
  await expectGoodLooks(operator)
  await page.setViewportSize({ width: 390, height: 900 })

  await driver.focus()
  for (const value of [provider.url, 'own', '']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(value)
  }
  await page.keyboard.press('Tab')
  const secret = dialog.getByLabel('token')
  await secret.and(page.locator(':focus')).waitFor()
  expect(await secret.getAttribute('type')).toBe('password')
  await page.keyboard.type(token)
  await page.keyboard.press('Enter')
  await dialog.getByText('Connection 1 is saved').waitFor()
  await dialog.getByText('It works').waitFor()
  await dialog.getByText(/^https:\/\/pay\.example\.com\/rails\/testwallet\//).waitFor()
  const steps = dialog.getByRole('region', { name: 'Still to do' })
  await steps.getByText('Enter the webhook address above at the provider.').waitFor()
  await expectGoodLooks(operator)
  expect(await page.content()).not.toContain(token)
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await page
    .getByRole('row', { name: /testwallet/ })
    .first()
    .waitFor()
  expect(operator.problems()).toEqual([])
})

it('shows the reason of a refusal, and asks for a confirmation of an untested driver', async () => {
  const { page, open } = operator
  await open('/operator/rails')
  await page.getByRole('button', { name: 'Connect a provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Driver').selectOption('testpay')
  await dialog.getByLabel('url').fill('nowhere')
  await dialog.getByLabel('account').fill('own')
  await dialog.getByLabel('token').fill(token)
  await dialog.getByRole('button', { name: 'Connect a provider' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/settings\.url must be a web address/)
    .waitFor()
  expect(await dialog.getByRole('checkbox').count()).toBe(0)
  await dialog.getByLabel('Driver').selectOption('paypal')
  expect(await dialog.getByLabel('client_secret').inputValue()).toBe('')
  expect(
    await dialog.getByLabel('I accept a driver that was never tested').getAttribute('required'),
  ).not.toBeNull()
  await dialog.getByLabel('Use the provider’s own sandbox').waitFor()
  await expectGoodLooks(operator)
})
