// The stored picture of the buttons equals a new one.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawSheet, sheetFile } from './draw-sheet.ts'

it('the picture in the docs shows the current buttons', async () => {
  expect(
    readFileSync(sheetFile).equals(await drawSheet()),
    `${sheetFile} is stale: run npm run pictures`,
  ).toBe(true)
})
