// Build of the documentation site: docs/*.md → dist/web/docs.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, rmSync } from 'node:fs'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { textsForPrograms } from './docs/for-programs.ts'
import { linkedFiles, textOf } from './docs/navigation.ts'
import { sourcesHash } from './sources-hash.ts'

const run = promisify(execFile)
const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)]
const vitepress = 'node_modules/vitepress/bin/vitepress.js'

const outDir = 'dist/web/docs'
const stampFile = join(outDir, '.stamp')
const sources = ['docs/**/*.{md,png}', 'web/docs/**/*.*', 'web/docs/.vitepress/**/*.*', 'tools/docs/*.ts']
const builders = [
  'tools/build-docs.ts',
  'node_modules/vitepress/package.json',
  'node_modules/beautiful-mermaid/package.json',
]

export async function buildDocs(ifStale: boolean): Promise<void> {
  const stamp = await sourcesHash([
    ...sources.flatMap((pattern) => globSync(pattern)),
    ...linkedFiles(),
    ...builders,
  ])
  if (ifStale && existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return
  console.log('Building the guides (about 10 s) …')
  const draft = `dist/docs-draft-${process.pid}`
  const stopping = new AbortController()
  const stop = () => {
    stopping.abort()
    rmSync(draft, { recursive: true, force: true })
    process.exit(1)
  }
  process.once('SIGTERM', stop)
  const args = [vitepress, 'build', 'web/docs', '--outDir', draft]
  await run(process.execPath, args, { signal: stopping.signal })
  await finish(draft, stamp)
  // Replaces the whole folder by a rename, because other processes may build or read at the same time.
  const before = `${draft}-before`
  await rename(outDir, before).catch(() => undefined)
  await rename(draft, outDir).catch((error: unknown) => {
    if (!existsSync(stampFile)) throw error
  })
  for (const folder of [draft, before]) await rm(folder, { recursive: true, force: true })
  process.off('SIGTERM', stop)
}

async function finish(folder: string, stamp: string): Promise<void> {
  for (const path of linkedFiles()) await cp(path, join(folder, textOf(path) ?? ''))
  for (const [path, text] of textsForPrograms()) await writeFile(join(folder, path), text)
  const pages = globSync('**/*.html', { cwd: folder })
  const texts = await Promise.all(pages.map((page) => readFile(join(folder, page), 'utf8')))
  const scripts = texts.flatMap((text) => [
    ...text.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g),
  ])
  const hashes = new Set(
    scripts.map(([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`),
  )
  await writeFile(join(folder, 'script-hashes.txt'), `${[...hashes].sort().join('\n')}\n`)
  const compress = async (file: string) => {
    const content = await readFile(join(folder, file))
    await writeFile(join(folder, `${file}.br`), await brotli(content))
    await writeFile(join(folder, `${file}.gz`), await gzip(content))
  }
  await Promise.all(globSync('**/*.{html,js,css,svg,txt,md}', { cwd: folder }).map(compress))
  await writeFile(join(folder, '.stamp'), stamp)
}
