// The colour of a merchant's pages and its shades.
import { ok, type Result, refuse } from '../../kernel/result.ts'

type Rgb = readonly [red: number, green: number, blue: number]

/** Contrast of text and background, WCAG 2.2, 1.4.3 (AA). */
const contrastMin = 4.5
/** The darkest light background of the pages, and the lightest dark one. */
const lightGround: Rgb = [0xf2, 0xf5, 0xf6]
const darkGround: Rgb = [0x17, 0x20, 0x24]
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const tintOnLight = 0.1
const tintOnDark = 0.12
const stronger = 0.25

export interface Shades {
  readonly accent: string
  readonly accentStrong: string
  readonly accentGround: string
  readonly onAccent: string
}

/** Reads a colour such as `#0b5563`. Refusals: invalid_parameter with the nearest readable colour. */
export function checkColour(text: string): Result<string> {
  const colour = parse(text)
  if (colour === undefined)
    return refuse('invalid_parameter', 'brand_colour must be a colour such as #0b5563')
  if (isReadableOnLight(colour)) return ok(hex(colour))
  return refuse(
    'invalid_parameter',
    `brand_colour ${hex(colour)} is too light to read on a white page: the nearest readable colour is ${hex(nearestReadable(colour))}`,
  )
}

export function shadesOf(colour: string): { readonly light: Shades; readonly dark: Shades } {
  const light = parse(colour) ?? black
  const dark = firstThat(light, white, isReadableOnDark)
  return {
    light: {
      accent: hex(light),
      accentStrong: hex(mix(light, black, stronger)),
      accentGround: hex(mix(white, light, tintOnLight)),
      onAccent: hex(white),
    },
    dark: {
      accent: hex(dark),
      accentStrong: hex(mix(dark, white, stronger)),
      accentGround: hex(mix(darkGround, dark, tintOnDark)),
      onAccent: hex(mix(black, dark, tintOnDark)),
    },
  }
}

function nearestReadable(colour: Rgb): Rgb {
  return firstThat(colour, black, isReadableOnLight)
}

function isReadableOnLight(colour: Rgb): boolean {
  const grounds = [lightGround, white, mix(white, colour, tintOnLight)]
  return grounds.every((ground) => contrast(colour, ground) >= contrastMin)
}

function isReadableOnDark(colour: Rgb): boolean {
  const grounds = [darkGround, mix(darkGround, colour, tintOnDark), mix(black, colour, tintOnDark)]
  return grounds.every((ground) => contrast(colour, ground) >= contrastMin)
}

/** The first matching colour on the way from one to another, which keeps the hue. */
function firstThat(from: Rgb, to: Rgb, matches: (colour: Rgb) => boolean): Rgb {
  const steps = 255
  for (let step = 0; step < steps; step++) {
    const colour = mix(from, to, step / steps)
    if (matches(colour)) return colour
  }
  return to
}

function parse(text: string): Rgb | undefined {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (digits === undefined) return undefined
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  return [red as number, green as number, blue as number]
}

function hex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Mixes `share` of `other` into `colour`, rounded to the values that pages show. */
function mix(colour: Rgb, other: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(colour[at] + (other[at] - colour[at]) * share)
  return [part(0), part(1), part(2)]
}

function contrast(one: Rgb, other: Rgb): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
