// The crash tests of this run have reached every crash point.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crashPoints } from '../../../src/kernel/crash-points.ts'
import { deathsFile } from '../../world.ts'

const folder = join(import.meta.dirname, '..')

const crashTests = readdirSync(folder).filter(
  (name) =>
    name.endsWith('.test.ts') && /\.armCrash\(|dieAt\(/.test(readFileSync(join(folder, name), 'utf8')),
)

it('this run reaches every crash point', ({ skip }) => {
  const lines = existsSync(deathsFile()) ? readFileSync(deathsFile(), 'utf8').trim().split('\n') : []
  const deaths = lines.map((line) => line.split('\t'))
  const ran = new Set(deaths.map(([file]) => file))
  skip(
    crashTests.some((file) => !ran.has(file)),
    'a part of the crash tests did not run',
  )
  const reached = new Set(deaths.map(([, point]) => point))
  expect(Object.keys(crashPoints).filter((point) => !reached.has(point))).toEqual([])
})
