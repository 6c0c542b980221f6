// The review of packages finds no problem here, and finds each problem in an example.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockedPackages } from './dependencies/lock.ts'
import { isAllowed, reviewDependencies } from './dependencies/review.ts'
import { pageFile, toolsFolder } from './dependencies.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'comporta-dependencies-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('every licence, install script and exception is explained, and the page is up to date', () => {
  const { page, problems } = reviewDependencies(root)
  expect(problems).toEqual([])
  expect(reviewDependencies(toolsFolder).problems).toEqual([])
  expect(readFileSync(pageFile, 'utf8'), 'is stale: run npm run -s deps -- --write').toBe(page)
})

it('the Node of each system is in the lock file, in one exact version that runs the program', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const locked = new Map(lockedPackages(root))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^(24|26)\.\d+\.\d+$/)])
    expect(locked.get(`node_modules/${name}`)).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
    })
  }
  const systems = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']
  const fits = Object.keys(optionalDependencies).map((name) => {
    const { os, cpu } = locked.get(`node_modules/${name}`) ?? {}
    return `${os}-${cpu}`
  })
  expect(fits.toSorted()).toEqual(systems)
})

it.each([
  ['MIT OR Apache-2.0', true],
  ['(MIT OR GPL-3.0)', true],
  ['MIT or GPL-3.0', true],
  ['MIT AND ISC', true],
  ['MIT AND GPL-3.0', false],
  ['GPL-3.0', false],
  ['', false],
])('%s is allowed where MIT, ISC and Apache-2.0 are: %s', (expression, allowed) => {
  expect(isAllowed(expression, ['MIT', 'ISC', 'Apache-2.0'])).toBe(allowed)
})

const proper = { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' }

it.each<[object, string]>([
  [{ ...proper, license: 'AGPL-3.0' }, 'new: the licence AGPL-3.0 is not explained'],
  [{ ...proper, license: undefined }, 'new: the licence undefined is not explained'],
  [{ ...proper, hasInstallScript: true }, 'new: runs a program when it is installed, which is not explained'],
  [
    { ...proper, devOptional: true },
    'new: npm ci --omit=dev installs it, as an optional peer: npm run -s deps -- --write',
  ],
  [{ ...proper, integrity: undefined }, 'new: the lock file has no checksum'],
  [{ ...proper, optional: true, integrity: undefined }, 'new: the lock file has no checksum'],
  [{ ...proper, deprecated: 'use another' }, 'new: is deprecated (use another)'],
  [
    { ...proper, resolved: 'git+https://example.com/new.git' },
    'new: comes from git+https://example.com/new.git, not from the registry',
  ],
])('%o is a problem', (locked, problem) => {
  expect(problemsWith(locked)).toEqual([problem])
})

it('an allowed install script that does not exist is a problem', () => {
  expect(problemsWith(proper, { new: true })).toEqual([
    'new: package.json lets it run a program when it is installed, and it has none',
  ])
})

function problemsWith(locked: object, allowScripts: object = {}): readonly string[] {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ allowScripts }))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/new': locked } }),
  )
  return reviewDependencies(folder).problems
}
