// The tests that the threat model names exist (docs/inside/threats.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { missingTest } from './spec-coverage/tests.ts'

const root = join(import.meta.dirname, '..')

it('each threat has a test of its protection', () => {
  const [, table = ''] = readFileSync(join(root, 'docs/inside/threats.md'), 'utf8').split(
    '## Threats and protections',
  )
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (attacker|-)/.test(line))
  const wrong = rows.flatMap((row) => {
    const tests = [...row.matchAll(/`([^`]+ › [^`]+)`/g)].map(([, test = '']) => test)
    const missing = tests.flatMap((test) => missingTest(root, test) ?? [])
    return tests.length === 0 ? [`no test is named: ${row}`] : missing
  })
  expect(wrong).toEqual([])
  expect(rows.length).toBeGreaterThan(30)
})
