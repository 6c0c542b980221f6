// The runbooks name every alert, and log lines that the code writes.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../tools/docs/navigation.ts'

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const runbooks = ['docs/runbook.md', 'docs/runbook-money.md'].map(textOf)

it('every alert has a row', () => {
  const alerts = [...textOf('deploy/observability/alerts.yaml').matchAll(/- alert: (\w+)/g)]
  const rows = runbooks.flatMap((page) => [...page.matchAll(/^\| `(Comporta\w+)`/gm)])
  const names = (matches: readonly RegExpMatchArray[]) => matches.map(([, name]) => name).toSorted()
  expect(names(rows)).toEqual(names(alerts))
})

it('every log line is a text of the code', () => {
  const code = globSync('{src,drivers}/**/*.ts', { cwd: projectRoot }).map(textOf).join('\n')
  const lines = runbooks.flatMap((page) =>
    ['## Log lines\n', '## The gateway does not start\n'].flatMap((heading) => {
      const [, section = ''] = page.split(heading)
      const [rows = ''] = section.split('\n## ')
      return [...rows.matchAll(/^\| `([^`]+)` *\|/gm)].map(([, line = '']) => line)
    }),
  )
  expect(lines.length).toBeGreaterThan(15)
  // A part after `; ` is a value of its own in the code.
  const missing = lines.filter((line) => !line.split('; ').every((part) => code.includes(part)))
  expect(missing).toEqual([])
})
