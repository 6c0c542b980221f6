// The known word nearest to a mistyped one.
import { expect, it } from 'vitest'
import { nearestWord } from './nearest.ts'

const commands = ['serve', 'audit', 'demo', 'merchant', 'merchant set', 'key', 'clock']

it.each([
  ['aduit', 'audit'],
  ['audti', 'audit'],
  ['Serve', 'serve'],
  ['merchants', 'merchant'],
  ['merchantset', 'merchant set'],
  ['keys', 'key'],
  ['clok', 'clock'],
  ['delete', undefined],
  ['k', undefined],
  ['', undefined],
])('%j is nearest to %j', (typed, meant) => {
  expect(nearestWord(typed, commands)).toBe(meant)
})
