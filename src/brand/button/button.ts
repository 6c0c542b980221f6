// The button as SVG: mark, words and payment methods, without fonts.
import { html } from 'ghtml'
import { factsOf, type Method } from '../../methods/list.ts'
import { brandWords } from '../messages.ts'
import type { Button } from '../model.ts'
import outlines from '../outlines.json' with { type: 'json' }
import { gateDrawing, type Palette, palettes, waterDrawing } from './palettes.ts'

// In CSS pixels. Edges are on whole pixels, so that they are sharp on every screen.
const height = 48
const padding = 20
const radius = 10
const mark = { width: 18, height: 20, inkLeft: 6.5, inkTop: 5.5, scale: 0.95, gap: 10 } as const
const baseline = 30
const tile = { width: 32, height: 20, radius: 4, gap: 6 } as const
const tilesPerRowMax = 5
const tilesBottom = 12

export interface ButtonSize {
  readonly width: number
  readonly height: number
}

export function buttonDescription({ culture, type, methods }: Button): string {
  const words = brandWords[culture]
  return words.description(
    words.types[type],
    methods.map((method) => factsOf(method).inSentence[culture === 'PT' ? 'pt' : 'en']),
  )
}

export function buttonSize(button: Button): ButtonSize {
  const { width } = layoutOf(button)
  const rows = rowsOf(button.methods).length
  const tiles = rows === 0 ? 0 : rows * (tile.height + tile.gap) - tile.gap + tilesBottom
  return { width, height: height + tiles }
}

export function drawButton(button: Button): string {
  const palette = palettes[button.style]
  const size = buttonSize(button)
  const { width, wordsWidth } = layoutOf(button)
  const left = Math.round((width - mark.width - mark.gap - wordsWidth) / 2)
  const tiles = rowsOf(button.methods).map((row, index) =>
    drawRow(row, width, height + index * (tile.height + tile.gap), palette),
  )
  const markLeft = left - mark.inkLeft * mark.scale
  const markTop = (height - mark.height) / 2 - mark.inkTop * mark.scale
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img" lang="${brandWords[button.culture].language}"><title>${buttonDescription(button)}</title><rect x="0.5" y="0.5" width="${size.width - 1}" height="${size.height - 1}" rx="${radius}" fill="${palette.fill}" stroke="${palette.outline}"/><g transform="translate(${round(markLeft)} ${round(markTop)}) scale(${mark.scale})" fill="none" stroke-width="3" stroke-linecap="round"><path d="${gateDrawing}" stroke="${palette.ink}"/><path d="${waterDrawing}" stroke="${palette.accent}"/></g><path transform="translate(${left + mark.width + mark.gap} ${baseline}) scale(0.01)" fill="${palette.ink}" d="${wordsOf(button).path}"/>!${tiles}</svg>`
}

function round(pixels: number): number {
  return Math.round(pixels * 1000) / 1000
}

function wordsOf({ culture, type }: Button) {
  return outlines[culture][type]
}

function layoutOf(button: Button): { width: number; wordsWidth: number } {
  const wordsWidth = wordsOf(button).width
  const columns = Math.max(0, ...rowsOf(button.methods).map(({ length }) => length))
  const inside = Math.max(mark.width + mark.gap + wordsWidth, rowWidth(columns))
  return { width: inside + 2 * padding, wordsWidth }
}

function rowsOf(methods: readonly Method[]): (readonly Method[])[] {
  const count = Math.ceil(methods.length / tilesPerRowMax)
  const perRow = Math.ceil(methods.length / count)
  return Array.from({ length: count }, (_, row) => methods.slice(row * perRow, (row + 1) * perRow))
}

function rowWidth(columns: number): number {
  return Math.max(0, columns * (tile.width + tile.gap) - tile.gap)
}

function drawRow(row: readonly Method[], width: number, top: number, palette: Palette): string[] {
  const left = Math.round((width - rowWidth(row.length)) / 2)
  return row.map((method, column) => {
    const x = left + column * (tile.width + tile.gap)
    return html`<g transform="translate(${x} ${top})"><rect width="${tile.width}" height="${tile.height}" rx="${tile.radius}" fill="${palette.tile}"/><path transform="translate(4 2)" fill="none" stroke="${palette.tileInk}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" d="${factsOf(method).drawing}"/></g>`
  })
}
