// Numbers of cells in text, and the map of HAProxy.
import { cellMax, toBase62 } from '../kernel/random.ts'

/** Makes lines for a map of HAProxy: the cell's part of an identifier, and the backend `cell_<number>`. */
export function routesOf(cells: readonly number[]): string {
  return cells
    .flatMap((cell) =>
      [toBase62(cell, 2), cell.toString(16).padStart(3, '0')].map((part) => `${part} cell_${cell}\n`),
    )
    .join('')
}

/** A cell's number in text, such as of a command. NaN for other text. */
export function readCellNumber(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return number <= cellMax ? number : Number.NaN
}
