// The linter of plain English: `npm run words`, or with paths for these alone.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { complaintsOf } from './words/rules.ts'

const root = join(import.meta.dirname, '..')

/** Files whose text is not ours: data, generated code, texts by others. */
const others =
  /(^|\/)(dist|fixtures|generated|LICENSE|CODE_OF_CONDUCT)|^docs\/SPEC-MAP\.md|^tools\/words\.test\.ts|\.d\.ts$/

const asked = process.argv.slice(2)
const listed = execFileSync(
  'git',
  ['ls-files', ...asked, ...(asked.length > 0 ? [] : ['*.ts', '*.tsx', '*.js', '*.md'])],
  { cwd: root, encoding: 'utf8' },
)
let count = 0
for (const path of listed.split('\n').filter((one) => /\.(tsx?|js|md)$/.test(one) && !others.test(one))) {
  for (const { line, text, wrong } of complaintsOf(root, path, readFileSync(join(root, path), 'utf8'))) {
    count += 1
    console.log(`${path}:${line}  ${wrong}\n    ${text.slice(0, 160)}`)
  }
}
console.log(count === 0 ? 'Words: plain.' : `${count} sentences to write again.`)
process.exitCode = count === 0 ? 0 : 1
