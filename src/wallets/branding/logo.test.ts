// Logos: accepted formats and sizes.
import { expect, it } from 'vitest'
import { readLogo } from './logo.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const rest = '00'.repeat(40)

function png(width: number, height: number): Uint8Array {
  const size = [width, height].map((side) => side.toString(16).padStart(8, '0')).join('')
  return hex(`89504e470d0a1a0a 0000000d 49484452 ${size} 0802000000 ${rest}`)
}
const jpeg = hex(`ffd8 ffe0 0010 4a46494600010100000100010000 ffc2 0011 08 0040 0080 ${rest}`)
const webp = (chunk: string) => hex(`52494646 00000000 57454250 ${chunk} ${rest}`)

it.each<[string, Uint8Array, RegExp, string]>([
  ['PNG', png(300, 100), /^[0-9a-f]{32}\.png$/, 'image/png'],
  ['JPEG', jpeg, /\.jpg$/, 'image/jpeg'],
  ['WebP', webp('56503858 0a000000 10000000 2b0100 630000'), /\.webp$/, 'image/webp'],
  ['WebP without loss', webp('5650384c 10000000 2f 2bc11800'), /\.webp$/, 'image/webp'],
  ['WebP with loss', webp('56503820 10000000 300100 9d012a 2c01 6400'), /\.webp$/, 'image/webp'],
])('accepts a %s', (_, content, file, type) => {
  expect(readLogo(content)).toEqual({ ok: true, value: { file: expect.stringMatching(file), type, content } })
})

const svg = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
)
it.each<[string, Uint8Array, string]>([
  ['an SVG', svg, 'export an SVG as PNG'],
  ['a page', new TextEncoder().encode(`<!doctype html>${' '.repeat(40)}`), 'PNG, JPEG or WebP'],
  ['a GIF', hex(`474946383961 0a000a00 ${rest}`), 'PNG, JPEG or WebP'],
  ['nothing', new Uint8Array(), 'PNG, JPEG or WebP'],
  ['the beginning of a PNG', png(10, 10).slice(0, 20), 'PNG, JPEG or WebP'],
  ['a JPEG without a picture', hex(`ffd8 ffe0 ffff ${rest}`), 'PNG, JPEG or WebP'],
  ['a picture of 30 000 pixels a side', png(30_000, 30_000), 'at most 2000 pixels'],
  ['one without width', png(0, 10), 'pixels a side'],
  ['102 401 bytes', new Uint8Array(102_401), 'at most 100 KB'],
])('rejects %s', (_, content, words) => {
  expect(readLogo(content)).toMatchObject({
    ok: false,
    refusal: { kind: 'invalid_parameter', reason: expect.stringContaining(words) },
  })
})
