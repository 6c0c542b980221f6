// Pictures of the backoffice for README and docs: `npm run pictures`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../test/browser/browser.ts'
import { demoUser } from '../test/people.ts'
import { askToPay, payByToken, storeCard } from '../test/stored-cards.ts'
import { cards, startWorld, type World } from '../test/world.ts'

const folder = 'docs/pictures/backoffice'

interface Picture {
  readonly file: string
  readonly email: string
  readonly path: string
  readonly width: number
  readonly height: number
  readonly scheme: 'light' | 'dark'
}

const wide = { width: 1280, height: 860 }
const phone = { width: 390, height: 844 }
const owner = 'owner@demo.example'

const pictures: readonly Picture[] = [
  { file: 'home', email: owner, path: '/wallets/:wallet', ...wide, scheme: 'light' },
  { file: 'payments', email: owner, path: '/wallets/:wallet/payments', ...wide, scheme: 'light' },
  { file: 'payment', email: owner, path: '/wallets/:wallet/payments/:payment', ...wide, scheme: 'light' },
  { file: 'payments-dark', email: owner, path: '/wallets/:wallet/payments', ...wide, scheme: 'dark' },
  { file: 'home-phone', email: owner, path: '/wallets/:wallet', ...phone, scheme: 'light' },
  { file: 'operator', email: 'operator@demo.example', path: '/operator/merchants', ...wide, scheme: 'light' },
]

const days = 14
const amounts = [1990, 4550, 1200, 8900, 2375, 15900, 640, 3310, 5425]

/**
 * Makes payments, refunds, references and authorizations over two weeks of the sandbox's clock.
 * @returns the payment to show
 */
async function trade(world: World): Promise<string> {
  const token = await storeCard(world, cards.frictionless.number)
  const declined = await storeCard(world, cards.insufficientFunds.number)
  let shown = ''
  for (let day = 0; day < days; day++) {
    await world.advance('P1D')
    for (let count = 0; count < 2 + ((day * 7) % 5); count++) {
      const amount = (amounts[(day * 3 + count) % amounts.length] as number) / 100
      const { id } = await payByToken(world, token, {
        amount,
        ext_invoiceid: `F 2026/${100 + day * 10 + count}`,
      })
      if (count === 1 && day % 4 === 1) {
        await world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 5 })
        shown = id
      }
    }
    if (day % 3 === 0) await askToPay(world, declined, { amount: 27.9, ext_invoiceid: `D-${day}` })
  }
  const esb = { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
  for (const amount of [42.5, 18, 120]) {
    await world.shop.post('/api/v2/mb/pay', { amount, currency: 'EUR', ext_invoiceid: `W-${amount}` }, esb)
  }
  await askToPay(world, token, { amount: 250, ext_invoiceid: 'R-1' }, '/prows/v2/authorization')
  return shown
}

async function draw(world: World, browser: Browser, picture: Picture, payment: string): Promise<void> {
  const { width, height, scheme, email } = picture
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    deviceScaleFactor: 1,
  })
  const page = await context.newPage()
  await page.goto(`${world.baseUrl}/backoffice/sign-in`)
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(demoUser(world, email).password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
  const path = picture.path.replace(':wallet', String(world.shop.wallet_id)).replace(':payment', payment)
  await page.goto(`${world.baseUrl}/backoffice${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${picture.file}.png`) })
  await context.close()
}

mkdirSync(folder, { recursive: true })
const world = await startWorld({ databaseUrl: undefined })
const browser = await openBrowser()
try {
  const payment = await trade(world)
  for (const picture of pictures) await draw(world, browser, picture, payment)
} finally {
  await browser.close()
  await world.stop()
}
