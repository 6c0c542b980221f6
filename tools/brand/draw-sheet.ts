// Picture of every button for the docs: `npm run pictures`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadPngRenderer } from '../../src/brand/button/png.ts'
import { type Button, buttonStyles, buttonTypes, drawButton } from '../../src/brand/index.ts'
import { methods } from '../../src/methods/list.ts'

export const sheetFile = 'docs/pictures/buttons.png'

const grounds = [
  { color: '#ffffff', culture: 'PT', methods: methods },
  { color: '#000000', culture: 'EN', methods: ['CC', 'MB', 'MBWAY'] },
] as const
const margin = 20
const columnWidth = 240
const rowHeight = 60
const lastRowHeight = 126
const groundHeight = margin + buttonTypes.length * rowHeight + lastRowHeight

/** The layout has a column for each style and a row for each type: Portuguese on white, English on black. */
export interface SheetPlan {
  readonly width: number
  readonly height: number
  readonly grounds: readonly { readonly color: string; readonly top: number; readonly height: number }[]
  readonly buttons: readonly { readonly button: Button; readonly x: number; readonly y: number }[]
}

export function planSheet(): SheetPlan {
  const parts = grounds.map(({ color, culture, methods }, index) => {
    const top = index * groundHeight
    const rows = [
      ...buttonTypes.map((type) => ({ culture, type, methods: [] })),
      { culture, type: 'PAYMENT', methods } as const,
    ]
    const buttons = rows.flatMap((button, row) =>
      buttonStyles.map((style, column) => ({
        button: { style, ...button },
        x: margin + column * columnWidth,
        y: top + margin + row * rowHeight,
      })),
    )
    return { ground: { color, top, height: groundHeight }, buttons }
  })
  return {
    width: margin + buttonStyles.length * columnWidth,
    height: grounds.length * groundHeight,
    grounds: parts.map(({ ground }) => ground),
    buttons: parts.flatMap(({ buttons }) => buttons),
  }
}

export async function drawSheet(): Promise<Buffer> {
  const plan = planSheet()
  const { width, height } = plan
  const parts = [
    ...plan.grounds.map(
      (ground) =>
        `<rect y="${ground.top}" width="${width}" height="${ground.height}" fill="${ground.color}"/>`,
    ),
    ...plan.buttons.map(({ button, x, y }) => drawButton(button).replace('<svg ', `<svg x="${x}" y="${y}" `)),
  ]
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`
  return (await loadPngRenderer())(sheet, 1)
}

if (import.meta.main) {
  mkdirSync(dirname(sheetFile), { recursive: true })
  writeFileSync(sheetFile, await drawSheet())
}
