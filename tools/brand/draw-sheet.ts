// Draws the picture of every button for the docs. `npm run pictures`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Button, buttonStyles, buttonTypes, drawButton, drawnMethods } from '../../src/brand/index.ts'
import { loadPngRenderer } from '../../src/brand/png.ts'

export const sheetFile = 'docs/pictures/buttons.png'

/** Both cultures look alike, so each is shown on one ground. */
const grounds = [
  { color: '#ffffff', culture: 'PT', methods: drawnMethods },
  { color: '#000000', culture: 'EN', methods: ['CC', 'MB', 'MBWAY'] },
] as const
const margin = 20
const columnWidth = 240
const rowHeight = 60
/** Its last row shows methods, and is higher. */
const lastRowHeight = 126

/** What {@link sheetFile} must hold: a column per style and a row per type, Portuguese on white and English on black. */
export async function drawSheet(): Promise<Buffer> {
  const groundHeight = margin + buttonTypes.length * rowHeight + lastRowHeight
  const width = margin + buttonStyles.length * columnWidth
  const parts = grounds.map(({ color, culture, methods }, index) => {
    const rows = [
      ...buttonTypes.map((type) => ({ culture, type, methods: [] })),
      { culture, type: 'PAYMENT', methods } as const,
    ]
    const top = index * groundHeight
    const buttons = rows.flatMap((button, row) =>
      buttonStyles.map((style, column) =>
        placed({ style, ...button }, margin + column * columnWidth, top + margin + row * rowHeight),
      ),
    )
    return `<rect y="${top}" width="${width}" height="${groundHeight}" fill="${color}"/>${buttons.join('')}`
  })
  const height = grounds.length * groundHeight
  const render = await loadPngRenderer()
  return render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`,
    1,
  )
}

function placed(button: Button, x: number, y: number): string {
  return drawButton(button).replace('<svg ', `<svg x="${x}" y="${y}" `)
}

if (import.meta.main) {
  mkdirSync(dirname(sheetFile), { recursive: true })
  writeFileSync(sheetFile, await drawSheet())
}
