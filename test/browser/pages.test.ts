// Hosted pages in a real browser.
import type { FastifyInstance } from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'
import { cardFormScript, checkoutId, elsewhere, pagesServer, samples } from './sample-pages.ts'

type Posted = Record<string, string>

let app: FastifyInstance
let browser: Browser
let base: string
let posts: { path: string; body: Posted }[] = []
/** Events of the waiting page. Undefined: no events, as behind some proxies. */
let events: string | undefined
let over = false
/** Answers posts with an empty page. */
let staying = false

beforeAll(async () => {
  app = pagesServer()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.post('/*', async (request, reply) => {
    posts.push({ path: request.url, body: request.body as Posted })
    if (staying) return reply.code(204).send()
    return reply.type('text/html').send('<!doctype html><title>posted</title>')
  })
  app.get('/checkout/:id', (_request, reply) => {
    reply.type('text/html').send(over ? '<!doctype html><title>over</title>' : samples['/waiting']?.('pt'))
  })
  app.get('/checkout/:id/events', (_request, reply) => {
    if (events === undefined) return reply.code(503).send()
    return reply.type('text/event-stream').send(events)
  })
  app.get('/injected', (_request, reply) => {
    reply.type('text/html').send(`${samples['/failed']?.('pt')}<script>document.title = 'broken'</script>`)
  })
  base = await app.listen({ port: 0, host: '127.0.0.1' })
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await app?.close()
})

afterEach(async () => {
  posts = []
  events = undefined
  over = false
  staying = false
  for (const context of browser.contexts()) await context.close()
})

interface Visit {
  readonly page: Page
  readonly requests: string[]
  readonly complaints: string[]
}

/** Opens `path`. Other origins answer nothing, so a redirect stays here. */
async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.route(`${elsewhere}/**`, (route) => route.fulfill({ status: 204 }))
  await page.goto(base + path)
  return { page, requests, complaints }
}

const withoutScript = { javaScriptEnabled: false } as const

/** From now on only `page.clock` moves the time of the page. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
}

/** Number of label lines under the card logos. */
const linesUnderMarks = `[...document.querySelectorAll('.field:has(.brands)')].flatMap((field) => {
  const marks = field.querySelector('.brands').getBoundingClientRect()
  const text = document.createRange()
  text.selectNodeContents(field.querySelector('label'))
  return [...text.getClientRects()].filter((line) =>
    line.right > marks.left && line.left < marks.right && line.bottom > marks.top && line.top < marks.bottom)
}).length`

describe.each(Object.keys(samples))('%s', (path) => {
  test.each([
    ['pt', 'light', 320],
    ['en', 'dark', 1280],
  ] as const)('in %s, %s, %i px wide, is accessible and fits', async (lang, colorScheme, width) => {
    const { page } = await visit('/not-found', { colorScheme, viewport: { width, height: 700 } })
    if (['/challenge', '/proceed'].includes(path)) await page.route('**/*.js', (route) => route.abort())
    await page.goto(`${base}${path}?lang=${lang}`)
    await expectNoViolations(page)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await page.evaluate(linesUnderMarks)).toBe(0)
    await expect.poll(() => page.locator('html').getAttribute('lang')).toMatch(lang)
  })
})

test('the checkout asks nothing of another host, and breaks no policy', async () => {
  const { page, requests, complaints } = await visit('/checkout?lang=en')
  await page.waitForLoadState('networkidle')
  expect(requests.filter((url) => !url.startsWith(base))).toEqual([])
  await expect.poll(() => requests.length).toBeGreaterThanOrEqual(3)
  expect(complaints).toEqual([])
})

test('an inline script that got into a page does not run', async () => {
  const { page, complaints } = await visit('/injected')
  await expect.poll(() => complaints.join()).toContain('Content Security Policy')
  expect(await page.title()).not.toBe('broken')
})

async function fillCard(page: Page): Promise<void> {
  await page.getByLabel('Card number').fill('4176-6600 0000 0027')
  await page.getByLabel('Expiry date').fill('12/2031')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Phone').fill('+351 912 345 678')
}

describe('the card form', () => {
  test('groups digits and shows the brand as they are typed', async () => {
    const { page } = await visit('/checkout?lang=en')
    const number = page.getByLabel('Card number')
    const brands = page.locator('[data-brands] svg:visible')
    await expect.poll(() => brands.count()).toBe(4)
    await number.pressSequentially('4176660000000027')
    await expect.poll(() => number.inputValue()).toBe('4176 6600 0000 0027')
    await expect.poll(() => brands.count()).toBe(1)
    await expect.poll(() => brands.getAttribute('data-brand')).toBe('visa')

    await number.fill('')
    await number.pressSequentially('378282246310005')
    await expect.poll(() => number.inputValue()).toBe('3782 822463 10005')
    await expect.poll(() => page.getByText('4 digits on the front').isVisible()).toBe(true)

    await number.fill('6011000000000004')
    await expect.poll(() => brands.getAttribute('data-brand')).toBe('other')
    await page.getByLabel('Expiry date').pressSequentially('330')
    await expect.poll(() => page.getByLabel('Expiry date').inputValue()).toBe('03 / 30')
  })

  test('never complains while typing, checks when a field is left, forgives at once', async () => {
    const { page } = await visit('/checkout?lang=en')
    const number = page.getByLabel('Card number')
    const error = page.locator('#cc-number-error')
    await number.pressSequentially('4176660000000028')
    expect(await error.isVisible()).toBe(false)
    await number.press('Tab')
    await expect.poll(() => error.textContent()).toBe('This card number is not right. Check the digits.')
    await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => number.getAttribute('aria-describedby')).toContain('cc-number-error')
    await number.press('End')
    await number.press('Backspace')
    await expect.poll(() => error.isVisible()).toBe(true)
    await number.pressSequentially('7')
    await expect.poll(() => error.isVisible()).toBe(false)
    await expect.poll(() => number.getAttribute('aria-invalid')).toBeNull()
  })

  test('passing through empty fields is no mistake; paying with them is, and nothing is sent', async () => {
    const { page } = await visit('/checkout?lang=en')
    await page.getByLabel('Card number').focus()
    await page.keyboard.press('Tab')
    expect(await page.locator('[aria-invalid]').count()).toBe(0)
    await page.getByRole('button', { name: 'Pay €1,234.50' }).click()
    await expect.poll(() => page.locator('[aria-invalid]').count()).toBe(4)
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('cc-number')
    expect(posts).toEqual([])
  })

  test('is walked in order with the keyboard alone, and sent with Enter', async () => {
    const { page } = await visit('/checkout?lang=en')
    await page.getByLabel('Card number').focus()
    const walked: string[] = []
    for (let step = 0; step < 8; step++) {
      const focused = page.locator(':focus')
      walked.push((await focused.getAttribute('id')) ?? (await focused.textContent()) ?? '')
      await page.keyboard.press('Tab')
    }
    const inputs = ['cc-number', 'cc-expiry', 'cc-vcode', 'cc-name', 'cc-email', 'cc-phone']
    expect(walked).toEqual([...inputs, 'Pay €1,234.50', 'Cancel and return to the shop'])
    await fillCard(page)
    await page.getByLabel('Phone').press('Enter')
    await page.waitForURL(/card/)
    expect(posts).toHaveLength(1)
  })

  test('a double click sends once, with the facts about the browser', async () => {
    const { page } = await visit('/checkout?lang=en')
    await fillCard(page)
    staying = true
    await page.locator('[data-submit]').dblclick()
    await page.locator('[data-submit]:disabled', { hasText: 'Processing…' }).waitFor()
    await page.getByLabel('Phone').press('Enter')
    await page.waitForTimeout(300)
    expect(posts).toHaveLength(1)
    expect(posts[0]?.path).toBe(`/checkout/${checkoutId}/card?lang=en`)
    expect(posts[0]?.body).toMatchObject({
      attempt: expect.stringMatching(/^[0-9a-f-]{36}$/),
      number: '4176 6600 0000 0027',
      expiry: '12 / 31',
      vcode: '123',
      name: 'Ana Sousa',
      email: 'ana@exemplo.pt',
      phone: '+351 912 345 678',
      js_enabled: 'true',
      screen_width: expect.stringMatching(/^\d+$/),
      screen_height: expect.stringMatching(/^\d+$/),
      color_depth: expect.stringMatching(/^\d+$/),
      tz_offset: expect.stringMatching(/^-?\d+$/),
      language: expect.stringMatching(/^\w\w/),
    })
  })

  test('after a round trip the summary has the focus and leads to the fields; card data is gone', async () => {
    const { page, complaints } = await visit('/errors?lang=en')
    await page.locator('[role=alert]:focus').waitFor()
    await expect.poll(() => page.title()).toMatch(/^Error: /)
    await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('')
    await expect.poll(() => page.getByLabel('Security code').inputValue()).toBe('')
    await expect.poll(() => page.getByLabel('Expiry date').inputValue()).toBe('01 / 20')
    await page.getByRole('link', { name: 'Enter the security code.' }).click()
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('cc-vcode')
    expect(complaints).toEqual([])
  })

  test('works without JavaScript', async () => {
    const { page } = await visit('/checkout?lang=en', withoutScript)
    await fillCard(page)
    await page.getByText('2 items').click()
    await expect.poll(() => page.getByText('Atlas do Mar').isVisible()).toBe(true)
    await page.locator('[data-submit]').click()
    await page.waitForURL(/card/)
    expect(posts[0]?.body).toMatchObject({ number: '4176-6600 0000 0027', expiry: '12/2031', vcode: '123' })
    expect(posts[0]?.body).not.toHaveProperty('js_enabled')
  })

  test('cancel and the language switch are one click away, without JavaScript too', async () => {
    const { page } = await visit('/checkout?lang=en', withoutScript)
    expect(await page.getByRole('link', { name: 'Português' }).getAttribute('href')).toBe(
      `/checkout/${checkoutId}?lang=pt`,
    )
    await page.getByRole('button', { name: 'Cancel and return to the shop' }).click()
    await page.waitForURL(/cancel/)
    expect(posts[0]?.path).toBe(`/checkout/${checkoutId}/cancel?lang=en`)
  })
})

describe('the forms of the other methods', () => {
  const open = async (method: string, options: BrowserContextOptions = {}) => {
    const seen = await visit('/all-methods?lang=en', options)
    await seen.page.locator(`label[for=method-${method}]`).click()
    return seen
  }

  test('an IBAN is grouped while it is typed, and judged in our words when its field is left', async () => {
    const { page } = await open('sepa')
    const iban = page.getByLabel('IBAN', { exact: true })
    await iban.pressSequentially('pt50000201231234567890155')
    await expect.poll(() => iban.inputValue()).toBe('PT50 0002 0123 1234 5678 9015 5')
    expect(await page.locator('#sepa-iban-error').isVisible()).toBe(false)
    await iban.press('Tab')
    await expect
      .poll(() => page.locator('#sepa-iban-error').textContent())
      .toBe('This IBAN is not right. Check its letters and digits.')
    await iban.press('End')
    await iban.press('Backspace')
    await iban.pressSequentially('4')
    await expect.poll(() => page.locator('#sepa-iban-error').isVisible()).toBe(false)
  })

  test('nothing is sent while something is missing: the tick too is asked for in our words', async () => {
    const { page } = await open('sepa')
    await page.getByRole('button', { name: 'Pay €1,234.50' }).click()
    await expect.poll(() => page.locator('#sepa-mandate-error').isVisible()).toBe(true)
    expect(await page.locator('#sepa-mandate-error').textContent()).toContain('Tick the box')
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('sepa-holder')
    await page.getByLabel('I accept this direct debit mandate').check()
    await expect.poll(() => page.locator('#sepa-mandate-error').isVisible()).toBe(false)
    expect(posts).toEqual([])
    await expectNoViolations(page)
  })

  test('a PIN and an e-mail are judged when their fields are left', async () => {
    const { page } = await open('wallet')
    const panel = page.locator('form[action*="/wallet"]')
    await panel.getByLabel('E-mail').fill('ana@')
    await panel.getByLabel('PIN').fill('12')
    await panel.getByLabel('PIN').press('Tab')
    await expect.poll(() => panel.getByText('Enter a complete e-mail address').isVisible()).toBe(true)
    await expect.poll(() => panel.getByText('The PIN has 4 to 8 digits.').isVisible()).toBe(true)
  })

  test('a phone is spaced while it is typed; that of another country stays as it is', async () => {
    const { page } = await open('mbway')
    const phone = page.getByLabel('Mobile number')
    await phone.pressSequentially('912345678')
    await expect.poll(() => phone.inputValue()).toBe('912 345 678')
    await phone.fill('')
    await phone.pressSequentially('+44 7911 123456')
    await expect.poll(() => phone.inputValue()).toBe('+44 7911 123456')
  })

  test('without JavaScript what was typed and ticked is there after an error, the IBAN in fours', async () => {
    const { page } = await visit('/debit-errors?lang=en', withoutScript)
    await expect.poll(() => page.getByLabel('IBAN').inputValue()).toBe('PT50 0002 0123 1234 5678 9015 5')
    expect(await page.getByLabel('I accept this direct debit mandate').isChecked()).toBe(true)
  })
})

describe('the list of methods', () => {
  test('every row has a drawing, and the ones not chosen look as open as the chosen one', async () => {
    const { page } = await visit('/all-methods?lang=en', { colorScheme: 'dark' })
    await expect.poll(() => page.locator('.method-choice svg').count()).toBe(6)
    const look = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
    expect(await look('#method-sepa')).toBe(await look('#cc-number'))
  })

  test.each([
    [1280, true],
    [390, false],
  ])('%i px wide, items are open: %s', async (width, open) => {
    const { page } = await visit('/checkout?lang=en', { viewport: { width, height: 800 } })
    await expect.poll(() => page.getByText('Atlas do Mar').isVisible()).toBe(open)
  })
})

describe('the waiting page', () => {
  test('continues at the event, not before', async () => {
    events = 'retry: 100\nevent: state\ndata: waiting\n\n'
    const { page } = await visit('/not-found')
    // Timers stop, so that only the event can continue the page.
    await stopClock(page)
    await page.goto(`${base}/waiting`)
    await page.waitForTimeout(500)
    expect(new URL(page.url()).pathname).toBe('/waiting')
    over = true
    events = 'event: state\ndata: done\n\n'
    await page.waitForURL(/checkout/)
    await expect.poll(() => page.title()).toBe('over')
  })

  test('asks the page itself where events do not pass', async () => {
    const { page } = await visit('/waiting')
    over = true
    await page.waitForURL(/checkout/)
    await expect.poll(() => page.title()).toBe('over')
  })

  test('polls without JavaScript', async () => {
    const { page } = await visit('/waiting', withoutScript)
    await expect.poll(() => page.getByRole('link', { name: 'Atualizar' }).isVisible()).toBe(true)
    over = true
    await page.waitForURL(/checkout/)
  })

  test('counts every second on screen, and is announced once a minute', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await stopClock(page)
    await page.goto(`${base}/waiting-with-clock?lang=en`)
    await expect.poll(() => page.locator('[data-clock]').textContent()).toBe('Time left: 3:58')
    await page.clock.runFor(8_000)
    await expect.poll(() => page.locator('[data-clock]').textContent()).toBe('Time left: 3:50')
    await expect.poll(() => page.locator('[data-clock-spoken]').textContent()).toBe('')
    await page.clock.runFor(50_000)
    await expect.poll(() => page.locator('[data-clock-spoken]').textContent()).toBe('3 minutes left.')
    expect(await page.getByText('longer than usual').isVisible()).toBe(false)
    await page.clock.runFor(202_000)
    await expect.poll(() => page.getByText('longer than usual').isVisible()).toBe(true)
  })

  test('takes longer than usual after twenty seconds where no customer has to approve', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await stopClock(page)
    await page.goto(`${base}/waiting?lang=en`)
    await page.clock.runFor(15_000)
    expect(await page.getByText('longer than usual').isVisible()).toBe(false)
    await page.clock.runFor(6_000)
    await expect.poll(() => page.getByText('longer than usual').isVisible()).toBe(true)
  })
})

describe('an open form', () => {
  test('notices the end of its time and shows the result', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await stopClock(page)
    const opened: string[] = []
    page.on('request', (request) => opened.push(new URL(request.url()).pathname))
    const timesOpened = () => opened.filter((path) => path === '/checkout').length
    await page.goto(`${base}/checkout?lang=en`)
    await page.clock.fastForward('09:29:00')
    expect(timesOpened()).toBe(1)
    await page.clock.runFor(62_000)
    await expect.poll(timesOpened).toBe(2)
  })

  test('shows the whole of a method when it is chosen, with its button', async () => {
    const { page } = await visit('/withdrawn?lang=en', { viewport: { width: 390, height: 800 } })
    for (const method of ['MB', 'MBWAY', 'PAYPAL', 'WALLET']) {
      await page.locator(`label[for=method-${method.toLowerCase()}]`).click()
      const button = page.locator(`.method:has([value=${method}]) button[type=submit]`)
      await expect.poll(async () => (await button.boundingBox())?.y).toBeLessThan(760)
    }
  })
})

describe('the card form of an acquirer', () => {
  /** Draws a field, sends a request to another host, and tries forbidden calls. */
  const drawing = `
    const form = document.querySelector('form.acquirer-card')
    form.innerHTML = '<label style="color: rgb(1, 2, 3)">Card number <input name="pan"></label>'
    fetch('${elsewhere}/session').then(() => form.setAttribute('data-ready', ''))
    const other = document.createElement('script')
    other.src = 'https://third.example/other.js'
    document.head.append(other)`

  async function openForm(options: BrowserContextOptions = {}) {
    const opened = await visit('/not-found', options)
    const headers = { 'access-control-allow-origin': '*' }
    await opened.page.route(`${elsewhere}/session`, (route) => route.fulfill({ headers, body: '{}' }))
    await opened.page.route(cardFormScript, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: drawing }),
    )
    await opened.page.goto(`${base}/acquirers-card-form?lang=en`)
    return opened
  }

  test("is drawn by the acquirer's script on our page, which loads from no third host", async () => {
    const { page, complaints } = await openForm()
    const field = page.getByLabel('Card number')
    await field.fill('4176660000000027')
    await page.waitForSelector('form[data-ready]', { state: 'attached' })
    const colour = await page.evaluate(
      'getComputedStyle(document.querySelector("form.acquirer-card label")).color',
    )
    expect(colour).toBe('rgb(1, 2, 3)')
    expect(await page.getByText('This form needs JavaScript').isVisible()).toBe(false)
    await expect.poll(() => complaints.join()).toContain('https://third.example/other.js')
  })

  test('can be left, also without JavaScript, of which the page says that the form needs it', async () => {
    const { page } = await openForm(withoutScript)
    expect(await page.getByText('This form needs JavaScript').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Go back without paying' }).click()
    expect(posts).toMatchObject([{ path: `/checkout/${checkoutId}/withdraw?lang=en` }])
  })
})

describe('the way to the issuer', () => {
  test('the hidden frame gets its data, and the page continues after the frame', async () => {
    const { page } = await visit('/not-found')
    const framed: string[] = []
    await page.route(`${elsewhere}/method`, async (route) => {
      framed.push(route.request().postData() ?? '')
      await route.fulfill({ status: 303, headers: { location: `${base}/method-done` } })
    })
    await page.goto(`${base}/method?lang=en`)
    await page.waitForURL(/continue/)
    expect(framed).toEqual(['threeDSMethodData=eyJ9'])
    expect(posts).toEqual([{ path: '/continue', body: { compInd: 'Y' } }])
  })

  test('a silent frame delays the customer by no more than ten seconds', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.route(`${elsewhere}/**`, (route) => route.fulfill({ status: 204 }))
    await stopClock(page)
    await page.goto(`${base}/method`)
    await page.clock.runFor(9_000)
    expect(posts).toEqual([])
    await page.clock.runFor(1_500)
    await page.waitForURL(/continue/)
    expect(posts[0]?.body).toEqual({ compInd: 'N' })
  })

  test('a message from another origin does not count', async () => {
    const { page } = await visit('/method')
    await page.evaluate(
      `dispatchEvent(new MessageEvent('message', { data: 'threeds-method-done', origin: '${elsewhere}' }))`,
    )
    await page.waitForTimeout(300)
    expect(posts).toEqual([])
  })

  test('without JavaScript a button continues', async () => {
    const { page } = await visit('/method?lang=en', withoutScript)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/continue/)
    expect(posts[0]?.body).toEqual({ compInd: 'U' })
  })

  test.each([
    ['automatically, with the browser data', {}, { js_enabled: 'true' }],
    ['with a button without JavaScript', withoutScript, {}],
  ])('the issuer is asked %s', async (_how, options, expected) => {
    const { page } = await visit('/not-found', options)
    await page.goto(`${base}/proceed?lang=en`, { waitUntil: 'commit' })
    if ('javaScriptEnabled' in options) await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/continue/)
    expect(posts).toEqual([{ path: '/continue', body: expect.objectContaining(expected) }])
  })

  test.each([
    ['by itself', {}],
    ['with a button without JavaScript', withoutScript],
  ])('the challenge request is posted %s', async (_how, options) => {
    const { page } = await visit('/not-found', options)
    const sent = page.waitForRequest(`${elsewhere}/acs`)
    await page.goto(`${base}/challenge?lang=en`, { waitUntil: 'commit' })
    if ('javaScriptEnabled' in options) await page.getByRole('button', { name: 'Continue' }).click()
    const request = await sent
    expect(request.method()).toBe('POST')
    expect(request.postData()).toBe('creq=eyJ9&threeDSSessionData=c2Vzc2lvbg')
  })
})

describe('the result', () => {
  const confirm = `${elsewhere}/thanks?checkoutid=${checkoutId}`

  test('success returns to the shop after a countdown of three seconds, announced once', async () => {
    const { page, requests } = await visit('/not-found')
    await stopClock(page)
    await page.goto(`${base}/paid?lang=en`)
    await expect.poll(() => page.locator('[data-forward-line]').textContent()).toContain('in 3 s')
    const spoken = page.locator('[data-forward-spoken]')
    expect(await spoken.getAttribute('role')).toBe('status')
    const said = await spoken.textContent()
    expect(said).toBe('Returning to the shop in 3 s. Press Escape to stay.')
    await page.clock.runFor(2500)
    expect(await spoken.textContent()).toBe(said)
    await expect.poll(() => page.locator('[data-forward-line]').textContent()).toContain('in 1 s')
    expect(requests).not.toContain(confirm)
    await page.clock.runFor(1500)
    await expect.poll(() => requests).toContain(confirm)
  })

  test('without JavaScript only the button leaves the page', async () => {
    const { page, requests } = await visit('/paid?lang=en', withoutScript)
    expect(await page.locator('meta[http-equiv]').count()).toBe(0)
    expect(await page.getByRole('button').count()).toBe(0)
    await page.getByRole('link', { name: 'Back to the shop' }).click({ noWaitAfter: true })
    await expect.poll(() => requests).toContain(confirm)
  })

  test('the receipt shows amount, shop, method, moment and number, on paper too', async () => {
    const { page } = await visit('/paid?lang=en')
    await page.emulateMedia({ media: 'print' })
    const lines = await page.locator('.receipt dl > div').allInnerTexts()
    expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
      'Amount paid €1,234.50',
      'Shop Livraria do Cais',
      'Method Visa ending in 0027',
      'Date 14 March 2026, 09:05 (Lisbon time)',
      'Payment number 0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
    ])
    expect(await page.getByRole('link', { name: 'Back to the shop' }).isVisible()).toBe(false)
  })

  test.each([
    ['/accepted', 'Nothing', 'Up to €29.90 every 3 months, from 14 March 2026 to 31 December 2027'],
    ['/paid-and-accepted', '€1,234.50', 'Up to €29.90 every month, from 14 March 2026 until you cancel'],
  ])('%s shows the payment now and the later charges', async (path, now, later) => {
    const { page } = await visit(`${path}?lang=en`)
    const lines = page.locator('.receipt dl > div')
    expect(await lines.filter({ hasText: 'Paid now' }).locator('dd').textContent()).toBe(now)
    expect(await lines.filter({ hasText: 'May be charged later' }).locator('dd').textContent()).toBe(later)
  })

  test.each<[string, (page: Page) => Promise<void>]>([
    ['a click', (page) => page.getByRole('button', { name: 'Stay on this page' }).click()],
    [
      'the button and Enter',
      (page) => page.getByRole('button', { name: 'Stay on this page' }).press('Enter'),
    ],
    ['Escape', (page) => page.keyboard.press('Escape')],
    ['Tab', (page) => page.keyboard.press('Tab')],
  ])('the customer may stay, by %s', async (_, stay) => {
    const { page, requests } = await visit('/not-found')
    await stopClock(page)
    await page.goto(`${base}/paid?lang=en`)
    await stay(page)
    await page.clock.runFor(10_000)
    expect(requests).not.toContain(confirm)
    expect(await page.locator('[data-forward-spoken]').textContent()).toBe('You will stay on this page.')
    expect(await page.locator('[data-forward-line]').isVisible()).toBe(false)
    expect(await page.getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(confirm)
  })

  test('failure waits for the customer', async () => {
    const { page, requests } = await visit('/not-found')
    await stopClock(page)
    await page.goto(`${base}/failed`)
    await page.clock.runFor(10_000)
    expect(requests.filter((url) => url.startsWith(elsewhere))).toEqual([])
    expect(await page.getByRole('link', { name: 'Voltar à loja' }).getAttribute('href')).toContain('/basket')
  })
})
