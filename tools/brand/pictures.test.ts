// What is drawn and kept in the repository is what would be drawn now.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawSheet, sheetFile } from './draw-sheet.ts'
import { outlinesFile, traceWords } from './trace-words.ts'

const stale = 'is stale: run npm run pictures'

it('the outlines of the words are those of the words', () => {
  expect(readFileSync(outlinesFile, 'utf8') === traceWords(), `${outlinesFile} ${stale}`).toBe(true)
})

it('the picture in the docs shows the buttons as they are drawn now', async () => {
  expect(readFileSync(sheetFile).equals(await drawSheet()), `${sheetFile} ${stale}`).toBe(true)
})
