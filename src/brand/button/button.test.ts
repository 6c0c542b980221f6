// Buttons: contrast, edges, sizes and caching.
import { describe, expect, it } from 'vitest'
import { methods } from '../../methods/list.ts'
import { type Button, type ButtonImage, buttonStyles, buttonTypes, cultures } from '../model.ts'
import { buttonDescription, buttonSize, drawButton } from './button.ts'
import { createButtonImages } from './images.ts'
import { palettes } from './palettes.ts'

/** WCAG 2 contrast ratio, 1 to 21. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0)
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(Object.entries(palettes))('%s', (_name, { fill, ink, outline, accent, tile, tileInk }) => {
  it('has words and drawings that are easy to read', () => {
    expect(contrast(ink, fill)).toBeGreaterThan(7)
    expect(contrast(tileInk, tile)).toBeGreaterThan(7)
    expect(contrast(accent, fill)).toBeGreaterThan(3)
  })

  it('has an edge that shows on white and on black', () => {
    for (const page of ['#ffffff', '#000000']) expect(contrast(outline, page)).toBeGreaterThan(3)
  })
})

const plain = { style: 'REGULAR', culture: 'PT', type: 'BUY', methods: [] } as const satisfies Button

it('fits the smallest phone with any number of methods, in rows of at most five', () => {
  const heights = [0, 1, 5, 6, 9].map((count) => {
    const buttons = cultures.flatMap((culture) =>
      buttonTypes.map((type) => ({ ...plain, culture, type, methods: methods.slice(0, count) })),
    )
    for (const button of buttons) expect(buttonSize(button).width).toBeLessThanOrEqual(280)
    return buttonSize(buttons[0] ?? plain).height
  })
  expect(heights).toEqual([48, 80, 80, 106, 106])
})

it('describes action, gateway and methods', () => {
  const button = { ...plain, culture: 'EN', type: 'PAYMENT', methods: ['CC', 'MBWAY'] } as const
  expect(buttonDescription(button)).toBe('Pay now with Comporta: card, MB WAY')
  expect(drawButton(button)).toContain('<title>Pay now with Comporta: card, MB WAY</title>')
  expect(buttonDescription(plain)).toBe('Comprar agora com Comporta')
})

it('holds nothing that needs a font, a script, a style or another file', () => {
  for (const style of buttonStyles) {
    const drawn = drawButton({ ...plain, style, methods: methods })
    expect(drawn).not.toMatch(/<text|font|<script|style=|href|url\(|<image|<use/)
  }
})

const none: ButtonImage = { ...plain, format: 'svg', scale: 1 }

it('caches images up to its limit', async () => {
  const images = createButtonImages()
  const all = buttonTypes.flatMap((type) =>
    subsets().map((methods): ButtonImage => ({ ...none, type, methods })),
  )
  const [first = none, second = none, third = none] = all
  const drawn = await images.draw(first)
  await images.draw(second)
  expect(images.kept({ ...first })).toBe(drawn)
  expect(images.kept(third)).toBeUndefined()
  for (const image of all.slice(2, 501)) await images.draw(image)
  expect(images.kept(first)).toBe(drawn)
  expect(images.kept(second)).toBeUndefined()
})

/** All 128 choices of methods. */
function subsets() {
  return Array.from({ length: 2 ** methods.length }, (_, bits) =>
    methods.filter((_method, index) => ((bits >> index) & 1) === 1),
  )
}
