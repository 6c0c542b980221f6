// Button image and badge script (SPEC.md "Checkout").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usualDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(usualDatabase, { RATE_LIMITS: 'on' })
})
afterAll(() => world.stop())

const path = '/api/v2/anon/images/button'
const styles = ['REGULAR', 'WHITE', 'LIGHT', 'DARK']
const cultures = ['PT', 'EN']
const types = ['BUY', 'CONFIRM', 'CONTINUE', 'PAYMENT', 'PURCHASE']
const methods = ['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'BANK']

async function load(query: string, headers: Record<string, string> = {}, from = path) {
  const response = await fetch(`${world.baseUrl}${from}?${query}`, { headers })
  const content = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, content }
}

/** Size from the SVG or PNG itself. */
function sizeOf(content: Buffer): [number, number] {
  if (content.subarray(1, 4).toString() === 'PNG') return [content.readUInt32BE(16), content.readUInt32BE(20)]
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(content.toString()) ?? []
  return [Number(width), Number(height)]
}

describe('the button', () => {
  // The PNG renderer accepts only well-formed XML.
  it.each(styles)('has an image for each culture and type of %s', async (style) => {
    const seen = new Set<string>()
    for (const culture of cultures) {
      for (const type of types) {
        const query = `style=${style}&culture=${culture}&type=${type}`
        const [svg, png, sharp] = await Promise.all([
          load(query),
          load(`${query}&format=png`),
          load(`${query}&format=png&scale=2`),
        ])
        for (const { status, headers } of [svg, png, sharp]) {
          expect(status).toBe(200)
          expect(headers.get('cache-control')).toBe('public, max-age=86400, stale-while-revalidate=604800')
          expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
          expect(headers.get('access-control-allow-origin')).toBe('*')
          expect(headers.get('x-content-type-options')).toBe('nosniff')
        }
        expect(svg.headers.get('content-type')).toBe('image/svg+xml')
        expect(svg.content.toString()).toMatch(
          /^<svg [^>]*role="img"[^>]*><title>[^<]+ Comporta<\/title>.*<\/svg>$/,
        )
        expect(png.headers.get('content-type')).toBe('image/png')
        expect(sharp.headers.get('content-type')).toBe('image/png')
        const [width, height] = sizeOf(svg.content)
        expect(height).toBe(48)
        expect(width).toBeGreaterThan(100)
        expect(sizeOf(png.content)).toEqual([width, height])
        expect(sizeOf(sharp.content)).toEqual([2 * width, 2 * height])
        for (const { content } of [svg, png, sharp]) seen.add(content.toString('base64'))
      }
    }
    expect(seen.size).toBe(cultures.length * types.length * 3)
  })

  it('shows every method, each once and in one order, however they are asked for', async () => {
    const alone = await Promise.all(methods.map((method) => load(`methods=${method}`)))
    expect(new Set(alone.map(({ content }) => content.toString())).size).toBe(methods.length)
    const [all, otherwise, png] = await Promise.all([
      load(`methods=${methods}`),
      load(`methods=${[...methods, 'CC'].toReversed().join(', ').toLowerCase()}`),
      load(`methods=${methods}&format=png&scale=2`),
    ])
    expect(otherwise.content.equals(all.content)).toBe(true)
    expect(otherwise.headers.get('etag')).toBe(all.headers.get('etag'))
    expect(all.content.toString()).toContain(
      'cartão, referência Multibanco, MB WAY, PayPal, carteira, débito direto, transferência bancária',
    )
    expect(sizeOf(png.content)).toEqual(sizeOf(all.content).map((pixels) => 2 * pixels))
  })

  it('promises no method that cannot be paid with here, and still answers who names one', async () => {
    const [named, without, alone, none] = await Promise.all([
      load('methods=CC,GPAY,APAY,MB'),
      load('methods=CC,MB'),
      load('methods=GPAY'),
      load(''),
    ])
    expect(named.content.equals(without.content)).toBe(true)
    expect(alone.content.equals(none.content)).toBe(true)
  })

  it('is regular, Portuguese and says "Comprar agora" unless asked otherwise, in any case of letters', async () => {
    const plain = await load('')
    expect(plain.content.toString()).toContain('<title>Comprar agora com Comporta</title>')
    for (const query of [
      'style=regular&culture=pt&type=buy&format=SVG&scale=2',
      'style=&methods=&else=where',
    ]) {
      expect((await load(query)).content.equals(plain.content)).toBe(true)
    }
    const [unversioned, slash, stranger] = await Promise.all([
      load('', {}, '/api/anon/images/button'),
      load('', {}, `${path}/`),
      load('', { authorization: 'Comporta nobody' }),
    ])
    for (const { content } of [unversioned, slash, stranger]) expect(content.equals(plain.content)).toBe(true)
  })

  it.each(['', 'format=png'])('is not sent again to a client that has it (%s)', async (query) => {
    const first = await load(query)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await load(query, { 'if-none-match': known })
      expect([again.status, again.content.length, again.headers.get('etag')]).toEqual([304, 0, etag])
    }
    expect((await load(query, { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await fetch(`${world.baseUrl}${path}?${query}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
  })
})

const words = {
  style: /^style must be one of REGULAR, WHITE, LIGHT, DARK$/,
  culture: /^culture must be one of PT, EN$/,
  type: /^type must be one of BUY, CONFIRM, CONTINUE, PAYMENT, PURCHASE$/,
  methods: /^methods must be a comma list of CC, MB, MBWAY, PAYPAL, WALLET, SEPA, BANK$/,
  format: /^format must be one of svg, png$/,
  scale: /^scale must be one of 1, 2$/,
}

describe('a wrong request', () => {
  it.each<readonly [string, RegExp]>([
    ...Object.entries(words).flatMap(([name, reason]) => [
      [`${name}=<script>needle</script>`, reason] as const,
      [`${name}=%3CsCrIpT%3Eneedle`, reason] as const,
      [`${name}=%22%3E%3Cimg%20src%3Dneedle%3E`, reason] as const,
      [`${name}=${'needle'.repeat(500)}`, reason] as const,
      [`${name}=needle&${name}=needle`, new RegExp(`^${name} must be given once: `)] as const,
      [`${name}=needle%00`, new RegExp(`^${name} must be text without NUL$`)] as const,
    ]),
    ['methods=CC,needle', words.methods],
    ['methods=CC;MBneedle', words.methods],
    ['scale=3&x=needle', words.scale],
    ['style=GREEN&format=needle', words.style],
    ['%3Cscript%3Eneedle=%00', /^the query must be text without NUL$/],
  ])('is refused and not repeated (%#)', async (query, reason) => {
    const { status, headers, content } = await load(query)
    const body = JSON.parse(content.toString())
    expect([status, body.code, body.reason]).toEqual([400, 10002, expect.stringMatching(reason)])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    const output = [...headers.values(), content.toString()].join('\n')
    expect(output).not.toMatch(/needle|script|<|%3c/i)
  })
})

describe('the badge', () => {
  it('is a small script that any site may load, and that is asked about again by its tag', async () => {
    const { status, headers, content } = await load('', {}, '/badge/v1/badge.js')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toContain('max-age=86400')
    expect(content.length).toBeLessThan(4096)
    const etag = headers.get('etag') ?? ''
    expect((await load('', { 'if-none-match': etag }, '/badge/v1/badge.js')).status).toBe(304)
  })
})

it('limits new PNGs a minute for one address, and never refuses drawn ones', async () => {
  await load('format=png')
  const refused = []
  // Each choice of methods is a separate drawing.
  for (let bits = 0; bits < 240; bits += 40) {
    const queries = Array.from({ length: 40 }, (_, index) =>
      methods.filter((_method, place) => (((bits + index) >> place) & 1) === 1),
    )
    const answers = await Promise.all(
      queries.map((chosen) => load(`format=png&type=CONFIRM&methods=${chosen}`)),
    )
    refused.push(...answers.filter(({ status }) => status !== 200))
  }
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, headers, content } of refused) {
    expect([status, JSON.parse(content.toString()).code]).toEqual([429, 10029])
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expect((await load('format=png')).status).toBe(200)
  expect((await load('type=CONTINUE&methods=CC,BANK')).status).toBe(200)
})
