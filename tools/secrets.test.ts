// The search finds no secret in this repository, and finds each kind in an example.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findingsIn } from './secrets/patterns.ts'
import { secretsInFiles, secretsInHistory } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'comporta-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('this repository', () => {
  it('has no secret in its files', () => {
    const { files, findings } = secretsInFiles()
    expect(findings).toEqual([])
    expect(files).toBeGreaterThan(1_000)
  })

  it('has no secret in the lines of its commits', async () => {
    const { commits, findings } = await secretsInHistory()
    expect(findings).toEqual([])
    expect(commits).toBeGreaterThan(0)
  })
})

/** Random letters and digits as in a key, in two halves, so that this file contains no whole secret. */
const chance = ['q7Rk2Zp9Xw4Lt8Vb1Nc', '6My3Hd5Jf0Gs7Ta2Ue'].join('x')

describe('a line', () => {
  it.each<[string, string]>([
    ['private key', ['-----BEGIN EC PRIVATE', 'KEY-----'].join(' ')],
    ['API key', ['cmp', 'live', 'abcdefgh', chance].join('_')],
    ['signing secret', ['whsec', chance].join('_')],
    ['key of Stripe', ['sk', 'live', chance].join('_')],
    ['key of AWS', ['AKIA', 'Q7RK2ZP9XW4LT8VB'].join('')],
    ['token of GitHub', ['ghp', chance.slice(0, 36)].join('_')],
    ['token of npm', ['npm', chance.slice(0, 36)].join('_')],
    ['password in an address', ['postgres://comporta:', 'correct-horse@db.example/x'].join('')],
    ['card number', ['4539', '1488', '0343', '6467'].join(' ')],
    ['random text', `${chance}`],
  ])('with a %s is found', (kind, secret) => {
    expect(findingsIn(`const it = '${secret}'`).map((one) => one.kind)).toEqual([kind])
  })

  it.each([
    'a-sentence-of-words-with-hyphens-that-is-quite-long',
    'src/operations/attempts/customers/begin.ts',
    '01991234-5678-7000-8000-000000000000',
    '4539 1488 0343 6468',
    'postgres://localhost:5432/comporta',
  ])('with %s is not', (text) => {
    expect(findingsIn(`const it = '${text}'`)).toEqual([])
  })
})

it('a removed secret is found only in the history', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  const commit = (text: string, message: string) => {
    writeFileSync(join(folder, 'settings'), text)
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', message)
  }
  git('init', '-q')
  commit(`password '${chance}'\n`, 'in')
  commit('password from the environment\n', 'out')
  expect(secretsInFiles(folder)).toEqual({ files: 1, findings: [] })
  const { findings } = await secretsInHistory(folder)
  expect(findings).toEqual([expect.stringMatching(/^random text in \w+ settings: q7Rk2Zp9Xw4L…$/)])
})
