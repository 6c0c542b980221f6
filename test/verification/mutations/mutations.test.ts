// The guards of the list are in the sources, and their tests exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { areas } from './areas.ts'
import { withoutGuard } from './guards/guard.ts'
import { guards } from './guards/index.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

it('every guard is in its source, once or at the given place', () => {
  const lost = guards.filter((guard) => withoutGuard(read(guard.file), guard) === undefined)
  expect(lost.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  expect(guards.length).toBeGreaterThanOrEqual(60)
})

it('every guard has tests that exist', () => {
  for (const { file, tests } of guards) expect([file, ...tests.filter(missing)]).toEqual([file])
})

it('every area has sources and tests that exist', () => {
  for (const { sources, tests } of areas)
    for (const pattern of [...sources, ...tests])
      expect([pattern, found(pattern) > 0]).toEqual([pattern, true])
})

it.each([
  ['a guard and more', { text: 'a guard' }, ' and more'],
  ['a\n  guard, a guard', { text: 'a guard', place: 2 }, 'a\n  guard, '],
  ['a guard', { text: 'a guard', instead: 'nothing' }, 'nothing'],
  ['a guard, a guard', { text: 'a guard' }, undefined],
  ['a guard', { text: 'a guard', place: 2 }, undefined],
  ['no guard', { text: 'a guard' }, undefined],
])('%j without %j is %j', (source, guard, left) => {
  expect(withoutGuard(source, guard)).toBe(left)
})

function missing(file: string): boolean {
  return !existsSync(join(root, file))
}

function found(pattern: string): number {
  return globSync(pattern, { cwd: root }).length
}
