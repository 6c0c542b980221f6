// Each crash point has a crash test, and each crash test names existing points.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crashPoints, deathNote } from '../../src/kernel/crash-points.ts'
import { kills } from './kills.ts'
import { reachedByPairs } from './pairs.ts'

it('a crash test kills at every point', () => {
  const reached = new Set<string>(Object.values(kills).flatMap((list) => list.map(([point]) => point)))
  for (const point of reachedByPairs) reached.add(point)
  expect(Object.keys(crashPoints).filter((point) => !reached.has(point))).toEqual([])
})

function visit(crashAt: string) {
  const file = join(import.meta.dirname, '../../src/kernel/crash-points.ts')
  const program = `
    import { armCrashPoint, crashPoint, readCrash } from ${JSON.stringify(file)}
    if (${JSON.stringify(crashAt)}) armCrashPoint(readCrash(${JSON.stringify(crashAt)}).value)
    for (const visit of [1, 2, 3]) {
      crashPoint('settled, answer not sent')
      crashPoint('callback claimed, not sent')
      console.log(visit)
    }`
  const args = ['--input-type=module-typescript', '--eval', program]
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { signal, stdout, stderr }
}

it.each([
  ['', { signal: null, stdout: '1\n2\n3\n' }],
  ['callback claimed, not sent:3', { signal: 'SIGKILL', stdout: '1\n2\n' }],
  ['callback claimed, not sent', { signal: 'SIGKILL', stdout: '' }],
  ['callback delivered, not marked', { signal: null, stdout: '1\n2\n3\n' }],
])('armed with "%s", a process dies at that point', (crashAt, ended) => {
  const seen = visit(crashAt)
  expect(seen).toMatchObject(ended)
  if (ended.signal !== null) expect(seen.stderr).toContain(deathNote('callback claimed, not sent'))
})
