// Outlines of the words on buttons: `npm run pictures`.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import opentype, { type Glyph, type PathCommand } from 'opentype.js'
import { brandWords } from '../../src/brand/messages.ts'
import { buttonTypes, cultures } from '../../src/brand/model.ts'

/** The font Inter. Its licence (SIL Open Font License) allows outlines in pictures. */
const fontFile = fileURLToPath(import.meta.resolve('@fontsource/inter/files/inter-latin-600-normal.woff'))
const fontSize = 17
/** Coordinates count hundredths of a pixel, so that they are whole numbers. */
const unitsPerPixel = 100

function pathData(commands: readonly PathCommand[]): string {
  const units = (pixels: number) => Math.round(pixels * unitsPerPixel)
  let at = { x: 0, y: 0 }
  let start = at
  const from = (x: number, y: number) => `${units(x) - at.x} ${units(y) - at.y}`
  return commands
    .map((command) => {
      if (command.type === 'Z') {
        at = start
        return 'z'
      }
      const { x, y } = command
      const control = command.type === 'Q' ? `${from(command.x1, command.y1)} ` : ''
      const data = `${command.type.toLowerCase()}${control}${from(x, y)}`
      at = { x: units(x), y: units(y) }
      if (command.type === 'M') start = at
      return data
    })
    .join('')
    .replaceAll(' -', '-')
}

export const outlinesFile = 'src/brand/outlines.json'

export function traceWords(): string {
  const font = opentype.parse(Uint8Array.from(readFileSync(fontFile)).buffer)
  const trace = (text: string) => {
    const commands: PathCommand[] = []
    const scale = fontSize / font.unitsPerEm
    let x = 0
    let previous: Glyph | undefined
    for (const letter of text) {
      const glyph = font.charToGlyph(letter)
      if (previous !== undefined) x += font.getKerningValue(previous, glyph) * scale
      commands.push(...glyph.getPath(x, 0, fontSize).commands)
      x += glyph.advanceWidth * scale
      previous = glyph
    }
    return { width: Math.ceil(x), path: pathData(commands) }
  }
  const outlines = Object.fromEntries(
    cultures.map((culture) => [
      culture,
      Object.fromEntries(buttonTypes.map((type) => [type, trace(brandWords[culture].types[type])])),
    ]),
  )
  return `${JSON.stringify(outlines, null, 2)}\n`
}

if (import.meta.main) writeFileSync(outlinesFile, traceWords())
