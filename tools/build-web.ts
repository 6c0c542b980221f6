// Build of the files for browsers: web/* → dist/web, then the documentation.
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { buildDocs } from './build-docs.ts'
import { sourcesHash } from './sources-hash.ts'

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)]

/** Bundles share no files, so a page can load and pin each one alone. */
interface Entry {
  readonly name: string
  readonly script: string
  readonly files?: readonly string[]
  readonly format?: 'es' | 'iife'
}

interface Group {
  readonly name: string
  readonly title: string
  readonly entries: readonly Entry[]
  /** Folders of `web` that no entry reads. */
  readonly without: readonly string[]
}

const icon = 'web/checkout/checkout.svg'

/** A gateway does not start without these files. */
const needed: Group = {
  name: 'manifest',
  title: 'the checkout pages',
  entries: [
    { name: 'checkout', script: 'web/checkout/main.ts', files: [icon] },
    // These two have another format, because merchants load them with a script element without `type=module`.
    { name: 'secure-fields', script: 'web/secure-fields/library/main.ts', format: 'iife' },
    { name: 'secure-fields-frame', script: 'web/secure-fields/frame/main.ts' },
    { name: 'badge', script: 'web/badge/main.ts', format: 'iife' },
    { name: 'embed', script: 'web/embed/main.ts', format: 'iife' },
  ],
  without: ['web/docs/**', 'web/backoffice/**'],
}

const backoffice: Group = {
  name: 'backoffice',
  title: 'the backoffice (about 10 s)',
  entries: [
    { name: 'backoffice', script: 'web/backoffice/main.tsx', files: [icon] },
    { name: 'backoffice-scheme', script: 'web/backoffice/scheme.ts', format: 'iife' },
  ],
  without: ['web/docs/**'],
}

const sharedWithServer = ['src/brand/button/palettes.ts']

const outDir = 'dist/web'

type Manifest = Record<string, { readonly file: string; readonly integrity: string }>

interface BuiltFile {
  readonly logicalName: string
  readonly file: string
  readonly content: Uint8Array | string
}

/** Builds the files that a gateway needs to start, and deletes a backoffice that is out of date. */
export async function buildNeeded(): Promise<void> {
  await buildGroup(needed, true)
  const { manifest, previous } = filesOf(backoffice)
  if (existsSync(manifest) && !(await isFresh(backoffice, await stampOf(backoffice))))
    await rename(manifest, previous)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
  for (const group of [needed, backoffice]) await buildGroup(group, values['if-stale'])
  await buildDocs(values['if-stale'])
}

async function buildGroup(group: Group, ifStale: boolean): Promise<void> {
  const stamp = await stampOf(group)
  if (ifStale && (await isFresh(group, stamp))) return
  console.log(`Building ${group.title} …`)
  const built: BuiltFile[] = []
  for (const entry of group.entries)
    built.push(...(await bundle(entry)), ...(await plainFiles(entry.files ?? [])))
  await mkdir(outDir, { recursive: true })
  // Writes the files first, then the manifest, then the stamp. So a reader of the manifest finds all its files.
  await Promise.all(built.map(({ file, content }) => writeCompressed(file, content)))
  const { manifest, previous, stampFile } = filesOf(group)
  const entries = Object.fromEntries(built.map((file) => [file.logicalName, manifestEntry(file)]))
  if (existsSync(manifest)) await copyFile(manifest, previous)
  await replaceFile(manifest, `${JSON.stringify(entries, null, 2)}\n`)
  await replaceFile(stampFile, stamp)
  await prune()
}

function filesOf({ name }: Group) {
  return {
    manifest: join(outDir, `${name}.json`),
    previous: join(outDir, `${name}.previous.json`),
    stampFile: join(outDir, `.stamp-${name}`),
  }
}

/** The stamp changes with our sources and with the version of the builder. */
function stampOf({ without }: Group): Promise<string> {
  const ours = globSync('web/**/*.*', { exclude: ['**/*.test.ts', ...without] })
  const builders = ['vite.config.ts', 'tools/build-web.ts', 'node_modules/vite/package.json']
  return sourcesHash([...ours, ...sharedWithServer, ...builders])
}

async function isFresh(group: Group, wanted: string): Promise<boolean> {
  const { manifest, stampFile } = filesOf(group)
  if (!existsSync(stampFile) || (await readFile(stampFile, 'utf8')) !== wanted) return false
  const names = Object.values(await readManifest(manifest)).map(({ file }) => file)
  return names.length > 0 && names.every((file) => existsSync(join(outDir, file)))
}

async function readManifest(file: string): Promise<Manifest> {
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {}
}

async function bundle({ name, script, format = 'es' }: Entry): Promise<BuiltFile[]> {
  // Vite loads only for a build, because it takes longer than the check for changes.
  const { build } = await import('vite')
  const result = await build({
    build: {
      write: false,
      // The scripts of an entry load separately, so all its pages use one style sheet.
      cssCodeSplit: false,
      rollupOptions: {
        input: { [name]: script },
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
        output: { format, chunkFileNames: `${name}-[name]-[hash].js` },
      },
    },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('vite gave no single output')
  return result.output.map((file) => ({
    logicalName: file.type === 'chunk' && !file.isEntry ? file.fileName : `${name}${extname(file.fileName)}`,
    file: file.fileName,
    content: file.type === 'chunk' ? file.code : file.source,
  }))
}

async function plainFiles(paths: readonly string[]): Promise<BuiltFile[]> {
  return Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path)
      const extension = extname(path)
      const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
      const file = `${basename(path, extension)}-${hash}${extension}`
      return { logicalName: basename(path), file, content }
    }),
  )
}

function manifestEntry({ file, content }: BuiltFile): Manifest[string] {
  return { file, integrity: `sha384-${createHash('sha384').update(content).digest('base64')}` }
}

async function writeCompressed(file: string, content: Uint8Array | string): Promise<void> {
  await replaceFile(join(outDir, `${file}.br`), await brotli(content))
  await replaceFile(join(outDir, `${file}.gz`), await gzip(content))
  await replaceFile(join(outDir, file), content)
}

async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

async function prune(): Promise<void> {
  const manifests = [needed, backoffice]
    .map(filesOf)
    .flatMap(({ manifest, previous }) => [manifest, previous])
  const kept = await Promise.all(manifests.map(readManifest))
  const names = new Set(kept.flatMap((manifest) => Object.values(manifest).map(({ file }) => file)))
  for (const name of await readdir(outDir)) {
    const [, file] = /^(.*-[\w-]{8}\.\w+?)(?:\.br|\.gz)?$/.exec(name) ?? []
    if (file !== undefined && !names.has(file)) await rm(join(outDir, name), { force: true })
  }
}
