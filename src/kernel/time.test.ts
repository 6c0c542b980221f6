// How long the gateway waits before it asks again.
import { expect, it } from 'vitest'
import { backoffMs } from './time.ts'

it.each([
  ['first where none came before', 0, 10],
  ['first doubled with each that came before', 3, 80],
  ['maximum from there on', 5, 300],
  ['maximum after thousands', 5000, 300],
])('the pause is the %s', (_, triesBefore, pause) => {
  expect(backoffMs(10, triesBefore, 300)).toBe(pause)
})
