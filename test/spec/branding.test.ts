// A merchant's branding on the hosted pages.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let world: World
let folder: string
beforeAll(async () => {
  world = await openWorld()
  folder = mkdtempSync(join(tmpdir(), 'comporta-logo-'))
  writeFileSync(join(folder, 'logo.png'), dot)
  writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})
afterAll(() => world.stop())

const set = (...options: string[]) => world.cli('merchant', 'set', String(world.shop.wallet_id), ...options)

it('is shown on the checkout, on links and before the issuer', async () => {
  const { code, json } = await set(
    ...[
      '--logo',
      join(folder, 'logo.png'),
      '--brand-colour',
      '#8a1c4a',
      '--terms-url',
      'https://loja.pt/termos',
    ],
    ...['--support-email', 'ajuda@loja.pt', '--support-phone', '+351 911 234 567', '--page-language', 'pt'],
  )
  expect(code).toBe(0)
  expect(json).toMatchObject({ brand_colour: '#8a1c4a', support_phone: '+351911234567', page_language: 'pt' })
  const checkout = await world.createCheckout()
  const link = await world.shop.post('/api/v2/payment_links', { description: 'Vaso', amount: 9 })
  for (const url of [checkout.url_redirect, link.body.url]) {
    const page = await openPage(url)
    expect(page.html).toContain(`src="/branding/logos/${json.logo}?merchant&#61;${json.public_id}"`)
    expect(page.html).toContain('href="/branding/colours/8a1c4a.css"')
    expect(page.links).toEqual(
      expect.arrayContaining(['https://loja.pt/termos', 'mailto:ajuda@loja.pt', 'tel:+351911234567']),
    )
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self'")
    // The merchant's language is only for browsers with neither Portuguese nor English.
    expect((await openPage(url, { language: 'fr' })).html).toContain('<html lang="pt-PT">')
    expect(page.html).toContain('<html lang="en-IE">')
  }
})

it('comes from our own host, and can do nothing there', async () => {
  const { json } = await set('--logo', join(folder, 'logo.png'))
  const logo = await fetch(`${world.baseUrl}/branding/logos/${json.logo}?merchant=${json.public_id}`)
  expect(Buffer.from(await logo.arrayBuffer()).equals(dot)).toBe(true)
  expect(Object.fromEntries(logo.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const sheet = await world.request('/branding/colours/8a1c4a.css')
  expect(sheet.headers.get('content-type')).toContain('text/css')
  expect(sheet.text).toContain('--accent:#8a1c4a')
  for (const path of ['colours/ffcc00.css', 'colours/x.css', `logos/${'0'.repeat(32)}.png`, 'logos/..%2fx'])
    expect((await world.request(`/branding/${path}`)).status).toBe(404)
})

it.each([
  ['--logo', 'logo.svg', 'PNG'],
  ['--logo', 'none.png', 'ENOENT'],
  ['--brand-colour', '#ffcc00', 'the nearest readable colour is #'],
  ['--terms-url', 'javascript:alert(1)', 'terms_url'],
  ['--support-email', 'ajuda', 'support_email'],
  ['--support-phone', '912', 'support_phone'],
  ['--page-language', 'fr', 'page-language'],
  ['--methods-off', 'CHEQUE', 'methods-off'],
])('is refused with %s %s', async (option, value, words) => {
  const { code, text } = await set(option, option === '--logo' ? join(folder, value) : value)
  expect(code).not.toBe(0)
  expect(text).toContain(words)
})

it('goes away with none', async () => {
  const { json } = await set('--logo', 'none', '--brand-colour', 'none', '--terms-url', 'none')
  expect(json).toMatchObject({ logo: null, brand_colour: null, terms_url: null })
  const page = await openPage((await world.createCheckout()).url_redirect)
  expect(page.html).toContain('class="monogram"')
  expect(page.html).not.toContain('/branding/')
})
