// Team and security pages in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../../gateway-here.ts'
import { codeOf, demoUser } from '../../people.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, visit } from './visitor.ts'

const password = 'four plain words here'
let world: World
let browser: Browser

beforeAll(async () => {
  // Passkeys need a host name.
  const [started, opened] = await Promise.all([openWorld('postgres', { HOST: 'localhost' }), openBrowser()])
  world = { ...started, baseUrl: started.baseUrl.replace('127.0.0.1', 'localhost') }
  browser = opened
})
afterAll(() => Promise.all([browser?.close(), world?.stop()]))

it('invites somebody with a script for a name, changes their role, and removes them', async () => {
  const owner = await visit(world, browser, 'owner@demo.example')
  const { page } = owner
  await owner.open(`/wallets/${world.shop.wallet_id}/team`)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('nobody')
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await dialog.getByText('An address, such as ana@example.com').waitFor()
  await dialog.getByLabel('E-mail').fill('new@demo.example')
  await dialog.getByRole('button', { name: 'Create invitation' }).dblclick()
  const url = (await dialog.locator('[data-secret]').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'new@demo.example', exact: true }).waitFor()
  await expectGoodLooks(owner)

  const invited = await visit(world, browser)
  await invited.page.goto(url)
  await invited.page.getByLabel('Your name').fill('<script>alert(1)</script>')
  await invited.page.locator('input[type=password]').fill(password)
  await invited.page.getByRole('button', { name: 'Join' }).click()
  await invited.page.getByRole('navigation').getByText('Demo Shop').waitFor()
  await invited.open(`/wallets/${world.shop.wallet_id}/team`)
  await invited.page.getByText('<script>alert(1)</script>').first().waitFor()
  expect(await invited.page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0)
  expect(invited.problems()).toEqual([])

  await page.reload()
  const role = page.locator('input[aria-label="Role of <script>alert(1)</script>"]')
  await role.click()
  await page.getByRole('option', { name: 'Finance' }).click()
  await page.getByRole('dialog').getByText(': Finance').waitFor()
  expect(await role.inputValue()).toBe('Read only')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await expect.poll(() => role.inputValue()).toBe('Finance')
  await page.getByRole('button', { name: 'Remove <script>alert(1)</script>' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(() => role.count()).toBe(0)
  await invited.page.reload()
  await invited.page.getByRole('heading', { name: 'No access to this page' }).waitFor()
  await page.reload()
  const removal = page.getByRole('row', { name: /Remove somebody/ }).first()
  await removal.getByText('new@demo.example', { exact: true }).waitFor()
  await page
    .getByRole('row', { name: /Change a role/ })
    .first()
    .getByText('new@demo.example · finance')
    .waitFor()
  expect(owner.problems()).toEqual([])
  await Promise.all([owner.close(), invited.close()])
})

it('sets up an authenticator app and signs in with its code', async () => {
  const reader = await visit(world, browser, 'reader@demo.example')
  const { page } = reader
  await page.getByRole('button', { name: /Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  await page.getByRole('cell', { name: 'this session' }).waitFor()
  await expectGoodLooks(reader)
  await page.getByRole('button', { name: 'Set it up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(demoUser(world, 'reader@demo.example').password)
  await dialog.getByRole('button', { name: 'Set it up' }).click()
  await dialog.getByRole('img', { name: 'QR code for the app' }).waitFor()
  const secret = ((await dialog.locator('[data-secret]').textContent()) ?? '').replaceAll(' ', '')
  expect(secret).toMatch(/^[A-Z2-7]{16,}$/)
  await dialog.getByLabel('Code of the app').fill('12')
  await dialog.getByRole('button', { name: 'Check the code' }).click()
  await dialog.getByText('6 digits').waitFor()
  await dialog.getByLabel('Code of the app').fill(await codeOf(secret, -1))
  await dialog.getByRole('button', { name: 'Check the code' }).click()
  await dialog.getByText('Each code signs you in once').waitFor()
  expect((await dialog.locator('[data-secret]').textContent())?.split('\n')).toHaveLength(10)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Stop using it' }).waitFor()
  expect(reader.problems()).toEqual([])
  await reader.close()

  const again = await visit(world, browser)
  await again.open('/sign-in?to=/backoffice//evil.example/')
  await again.page.locator('input[type=email]').fill('reader@demo.example')
  await again.page.locator('input[type=password]').fill(demoUser(world, 'reader@demo.example').password)
  await again.page.locator('button[type=submit]').click()
  await again.page.getByLabel('Code of your authenticator app').fill(await codeOf(secret, 0))
  await again.page.getByRole('button', { name: 'Continue' }).click()
  await again.page.getByRole('navigation').getByText('Demo Shop').waitFor()
  expect(new URL(again.page.url()).origin).toBe(new URL(world.baseUrl).origin)
  await again.close()

  const owner = await visit(world, browser, 'owner@demo.example')
  await owner.open(`/wallets/${world.shop.wallet_id}/team`)
  await owner.page.getByRole('button', { name: 'New password for Rui Leal' }).click()
  await owner.page.getByLabel('The phone is lost').check()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'New password' }).click()
  const url = (await owner.page.locator('[data-secret]').textContent()) ?? ''
  const lost = await visit(world, browser)
  await lost.page.goto(url)
  await lost.page.locator('input[type=password]').fill(password)
  await lost.page.getByRole('button', { name: 'Set the password' }).click()
  await lost.page.getByRole('navigation').getByText('Demo Shop').waitFor()
  await owner.page.reload()
  await owner.page.getByRole('cell', { name: 'Make a link that takes two-factor away' }).first().waitFor()
  await owner.page.getByRole('cell', { name: 'Sign in' }).first().waitFor()
  expect([...owner.problems(), ...lost.problems()]).toEqual([])
  await Promise.all([owner.close(), lost.close()])
})

it('adds a passkey, signs in with it, renames and removes it', async () => {
  const owner = await visit(world, browser, 'owner@plain.example')
  const { page, context } = owner
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await owner.open('/account/security')
  await page.getByLabel('Name of the passkey').fill('My laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('cell', { name: 'My laptop', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Rename My laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name of the passkey').fill('Old laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('cell', { name: 'Old laptop', exact: true }).waitFor()

  await page.getByRole('button', { name: /Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('navigation').getByText('Plain Shop').waitFor()
  await owner.open('/account/security')
  await page.getByRole('button', { name: 'Remove Old laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No passkeys yet.').waitFor()
  expect(owner.problems()).toEqual([])
  await owner.close()
})

it('changes the password and ends the sessions elsewhere', async () => {
  const here = await visit(world, browser, 'owner@plain.example')
  const there = await visit(world, browser, 'owner@plain.example')
  await here.open('/account/security')
  await here.page.getByLabel('Current password').fill(demoUser(world, 'owner@plain.example').password)
  await here.page.getByLabel('New password').fill('short')
  await here.page.getByRole('button', { name: 'Change the password' }).click()
  expect(await here.page.getByText('At least 12 characters').count()).toBe(2)
  await here.page.getByLabel('New password').fill(password)
  await here.page.getByRole('button', { name: 'Change the password' }).click()
  await here.page.getByText('You are signed out everywhere else.').waitFor()
  await here.page.getByLabel('Your name').fill('Paula Reis Lima')
  await here.page.getByRole('button', { name: 'Save' }).click()
  await here.page.getByText('Saved.').waitFor()
  await there.open(`/wallets/${world.merchant('Plain Shop').wallet_id}/team`)
  await there.page.waitForURL(/sign-in/)
  await Promise.all([here.close(), there.close()])
})

// This is the last test, because it changes the owner's password and sign-in.
it('requires an authenticator app of the whole team, once its owner uses one', async () => {
  const owner = await visit(world, browser)
  const { page } = owner
  await owner.open('/sign-in')
  await page.locator('input[type=email]').fill('owner@plain.example')
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.getByRole('navigation').getByText('Plain Shop').waitFor()
  const team = `/wallets/${world.merchant('Plain Shop').wallet_id}/team`
  await owner.open(team)
  await page.getByText('Not required').waitFor()
  await page.getByText('Set up your own authenticator app first').waitFor()
  expect(await page.getByRole('button', { name: 'Require it' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Set it up' }).click()
  await page.getByRole('button', { name: 'Set it up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Set it up' }).click()
  await dialog.getByRole('img', { name: 'QR code for the app' }).waitFor()
  const secret = ((await dialog.locator('[data-secret]').textContent()) ?? '').replaceAll(' ', '')
  await dialog.getByLabel('Code of the app').fill(await codeOf(secret, -1))
  await dialog.getByRole('button', { name: 'Check the code' }).click()
  await dialog.getByText('Each code signs you in once').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Stop using it' }).waitFor()

  await owner.open(team)
  await expectGoodLooks(owner)
  for (const [button, state] of [
    ['Require it', 'Required'],
    ['Stop requiring it', 'Not required'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await dialog.getByRole('button', { name: button }).click()
    await page.getByText(state, { exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
  }
  expect(owner.problems()).toEqual([])
  await owner.close()
})
