// A merchant's logo, recognized by its bytes.
import { createHash } from 'node:crypto'
import { ok, type Result, refuse } from '../../kernel/result.ts'

/** 100 KB, because customers load it on mobile networks. */
const logoBytesMax = 102_400
const pixelsPerSideMax = 2000

const types = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const
type Format = keyof typeof types

export interface Logo {
  readonly file: string
  readonly type: string
  readonly content: Uint8Array
}

/** Reads a PNG, JPEG or WebP logo; SVG can contain scripts. Refusals: invalid_parameter naming `logo`. */
export function readLogo(content: Uint8Array): Result<Logo> {
  if (content.length > logoBytesMax)
    return refuse(
      'invalid_parameter',
      `logo must have at most 100 KB, not ${Math.ceil(content.length / 1024)}`,
    )
  const bytes = Buffer.from(content)
  const read = pngSize(bytes) ?? jpegSize(bytes) ?? webpSize(bytes)
  if (read === undefined)
    return refuse('invalid_parameter', 'logo must be a PNG, JPEG or WebP picture: export an SVG as PNG')
  const { format, width, height } = read
  if (Math.min(width, height) < 1 || Math.max(width, height) > pixelsPerSideMax)
    return refuse(
      'invalid_parameter',
      `logo must have at most ${pixelsPerSideMax} pixels a side, not ${width} × ${height}`,
    )
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return ok({ file: `${hash}.${format}`, type: types[format], content })
}

interface Size {
  readonly format: Format
  readonly width: number
  readonly height: number
}

const pngSignature = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(pngSignature)) return undefined
  return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Reads the segments until one has the size of the picture (ITU T.81, B.2.2). */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (startsFrame)
      return { format: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
  }
  return undefined
}

function webpSize(bytes: Buffer): Size | undefined {
  const at = (from: number) => bytes.toString('latin1', from, from + 4)
  if (bytes.length < 30 || at(0) !== 'RIFF' || at(8) !== 'WEBP') return undefined
  switch (at(12)) {
    case 'VP8X':
      return { format: 'webp', width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { format: 'webp', width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8 ':
      return {
        format: 'webp',
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      }
    default:
      return undefined
  }
}
