// A built program matches its sources, and loads few files at its start.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtProgramFolder } from '../bin/built-program.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'comporta-built-'))
  for (const folder of ['src/http', 'client', 'sandbox', 'drivers', 'examples/shop', 'sdk/src', 'tools'])
    mkdirSync(join(root, folder), { recursive: true })
  write('src/cli.ts', 'one')
  write('src/http/app.ts', 'two')
  write('sandbox/index.ts', 'three')
  write('examples/shop/server.ts', 'five')
  write('sdk/src/index.ts', 'six')
  write('package-lock.json', '{}')
  write('tools/build-program.ts', 'how')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the folder of the built program', () => {
  it.each([
    ['a source was edited', () => write('src/http/app.ts', 'twa')],
    ['a source of the sandbox was edited', () => write('sandbox/index.ts', 'four')],
    ['a source of the example shop was edited', () => write('examples/shop/server.ts', 'six')],
    ['a source of the SDK was edited', () => write('sdk/src/index.ts', 'seven')],
    ['a source came', () => write('src/http/new.ts', '')],
    ['a source went', () => rmSync(join(root, 'src/http/app.ts'))],
    ['a source moved', () => renameSync(join(root, 'src/http/app.ts'), join(root, 'src/app.ts'))],
    ['a package came in another version', () => write('package-lock.json', '{"a":1}')],
    ['it is built in another way', () => write('tools/build-program.ts', 'otherwise')],
  ])('is another when %s', (_, change) => {
    const before = builtProgramFolder(root)
    change()
    expect(builtProgramFolder(root)).not.toBe(before)
  })

  it('is the same for the same sources, also with other tests', () => {
    const before = builtProgramFolder(root)
    write('src/http/app.ts', 'two')
    write('src/http/app.test.ts', 'a test')
    expect(builtProgramFolder(root)).toBe(before)
  })
})

function write(path: string, content: string): void {
  writeFileSync(join(root, path), content)
}

const staticImport = /^(?:import|export)\b[^'"]*?["']([^"']+)["'];?$/gm

function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  for (const [, name = ''] of sourceOf(file).matchAll(staticImport)) {
    if (loaded.has(name)) continue
    loaded.add(name)
    if (name.startsWith('./')) loadedWith(name, loaded)
  }
  return loaded
}

it('loads nothing at the start that only sign-in, pictures or the API reference need', () => {
  const [, main = ''] = /import\("\.\/(main[^"]*\.js)"\)/.exec(sourceOf('cli.js')) ?? []
  const loaded = [...loadedWith(main)]
  expect(loaded).toEqual(expect.arrayContaining(['fastify', 'pg', 'undici']))
  expect(loaded.filter((name) => /better-auth|scalar|resvg|^stripe|^@?fastify\/swagger/.test(name))).toEqual(
    [],
  )
})

function sourceOf(file: string): string {
  return readFileSync(join(builtProgramFolder(), file), 'utf8')
}
