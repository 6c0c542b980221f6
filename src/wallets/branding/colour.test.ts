// Merchant colours: accepted texts, and readable shades.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkColour, type Shades, shadesOf } from './colour.ts'

it.each([
  ['#0B5563', '#0b5563'],
  [' b3261e ', '#b3261e'],
  ['#000000', '#000000'],
])('%s is kept as %s', (text, kept) => {
  expect(checkColour(text)).toEqual({ ok: true, value: kept })
})

it.each(['', 'red', '#fff', '#12345g', '#0b5563; }'])('rejects %j', (text) => {
  expect(checkColour(text)).toMatchObject({
    refusal: { reason: 'brand_colour must be a colour such as #0b5563' },
  })
})

it.each(['#ffcc00', '#7fb2ff', '#767676', '#ffffff'])(
  'rejects %s and suggests the nearest readable colour',
  (text) => {
    const refused = checkColour(text)
    if (refused.ok) throw new Error('the colour was accepted')
    const nearest = /nearest readable colour is (#[0-9a-f]{6})$/.exec(refused.refusal.reason)?.[1] ?? ''
    expect(checkColour(nearest)).toEqual({ ok: true, value: nearest })
  },
)

it('makes readable shades for both colour schemes of every accepted colour', () => {
  const part = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(part, part, part, (red, green, blue) => {
      const colour = `#${[red, green, blue].map((one) => one.toString(16).padStart(2, '0')).join('')}`
      if (!checkColour(colour).ok) return
      const { light, dark } = shadesOf(colour)
      for (const ground of ['#ffffff', '#f2f5f6', light.accentGround]) expectReadable(light, ground)
      for (const ground of ['#172024', '#0e1416', dark.accentGround]) expectReadable(dark, ground)
    }),
    { numRuns: 2000 },
  )
})

function expectReadable({ accent, accentStrong, onAccent }: Shades, ground: string): void {
  for (const [text, behind] of [
    [accent, ground],
    [accentStrong, ground],
    [onAccent, accent],
    [onAccent, accentStrong],
  ] as const) {
    expect(contrast(text, behind), `${text} on ${behind}`).toBeGreaterThanOrEqual(4.5)
  }
}

/** The formula of WCAG 2.2, written a second time. */
function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(colour: string): number {
  return [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
    const share = Number.parseInt(colour.slice(1 + index * 2, 3 + index * 2), 16) / 255
    return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
  }, 0)
}
