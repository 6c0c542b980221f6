// Builds what browsers load, web/* → dist/web: hashed names, and a manifest with the integrity of each file; then the
// documentation site.
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildDocs } from './build-docs.ts'
import { sourcesHash } from './sources-hash.ts'

/** Bundles share nothing, so that each is loaded and pinned by itself. */
const entries: readonly Entry[] = [
  { name: 'checkout', script: 'web/checkout/main.ts', files: ['web/checkout/checkout.svg'] },
  // Merchants load it with a plain script element, without `type=module`.
  { name: 'secure-fields', script: 'web/secure-fields/library/main.ts', format: 'iife' },
  { name: 'secure-fields-frame', script: 'web/secure-fields/frame/main.ts' },
  { name: 'badge', script: 'web/badge/main.ts', format: 'iife' },
  { name: 'backoffice', script: 'web/backoffice/main.tsx' },
  // Runs before the first paint, so it is no module.
  { name: 'backoffice-scheme', script: 'web/backoffice/scheme.ts', format: 'iife' },
]

/** What the badge draws as the button does. */
const sharedWithServer = ['src/brand/button/drawings.ts', 'src/brand/button/palettes.ts']

interface Entry {
  readonly name: string
  readonly script: string
  /** Files that are served as they are. */
  readonly files?: readonly string[]
  readonly format?: 'es' | 'iife'
}

const outDir = 'dist/web'
const manifestFile = join(outDir, 'manifest.json')
const stampFile = join(outDir, '.stamp')

/** Logical name, such as `checkout.js` → the file to serve. */
type Manifest = Record<string, { readonly file: string; readonly integrity: string }>

interface BuiltFile {
  readonly logicalName: string
  readonly file: string
  readonly content: Uint8Array | string
}

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
const stamp = await stampOfSources()
if (!(values['if-stale'] && (await isFresh(stamp)))) await buildAll(stamp)
await buildDocs(values['if-stale'])

/** Over everything the build reads of ours, and the version of what builds it. */
function stampOfSources(): Promise<string> {
  const ours = globSync('web/**/*.*', { exclude: ['**/*.test.ts', 'web/docs/**'] })
  const builders = ['vite.config.ts', 'tools/build-web.ts', 'node_modules/vite/package.json']
  return sourcesHash([...ours, ...sharedWithServer, ...builders])
}

async function isFresh(wanted: string): Promise<boolean> {
  if (!existsSync(stampFile) || (await readFile(stampFile, 'utf8')) !== wanted) return false
  const manifest = await readManifest()
  return Object.values(manifest).every(({ file }) => existsSync(join(outDir, file)))
}

async function readManifest(): Promise<Manifest> {
  return existsSync(manifestFile) ? JSON.parse(await readFile(manifestFile, 'utf8')) : {}
}

async function buildAll(wanted: string): Promise<void> {
  const previous = await readManifest()
  const built: BuiltFile[] = []
  for (const entry of entries) built.push(...(await bundle(entry)), ...(await plainFiles(entry.files ?? [])))
  await mkdir(outDir, { recursive: true })
  // Files first, then the manifest that names them, then the stamp: a reader never meets a gap.
  for (const { file, content } of built) {
    await replaceFile(join(outDir, `${file}.br`), brotliCompressSync(content))
    await replaceFile(join(outDir, `${file}.gz`), gzipSync(content))
    await replaceFile(join(outDir, file), content)
  }
  const manifest = Object.fromEntries(built.map((file) => [file.logicalName, manifestEntry(file)]))
  await replaceFile(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
  await replaceFile(stampFile, wanted)
  await prune([manifest, previous])
}

/** One entry and everything it imports, bundled without touching the disk. */
async function bundle({ name, script, format = 'es' }: Entry): Promise<BuiltFile[]> {
  // Loaded only when needed: it takes longer than finding out that nothing changed.
  const { build } = await import('vite')
  const result = await build({
    build: {
      write: false,
      // One style sheet for all pages of an entry; their scripts are loaded one by one.
      cssCodeSplit: false,
      rollupOptions: {
        input: { [name]: script },
        // Libraries mark what may run in browsers; all of it does.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
        output: { format, chunkFileNames: `${name}-[name]-[hash].js` },
      },
    },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('vite gave no single output')
  return result.output.map((file) => ({
    // Only the entry is asked for by its name; what it loads it names itself.
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

/** Appears at once, whole: several processes may build or read at the same time. */
async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

/** Keeps the files of the build before, which open pages still ask for. */
async function prune(kept: readonly Manifest[]): Promise<void> {
  const names = new Set(kept.flatMap((manifest) => Object.values(manifest).map(({ file }) => file)))
  for (const name of await readdir(outDir)) {
    const [, file] = /^(.*-[\w-]{8}\.\w+?)(?:\.br|\.gz)?$/.exec(name) ?? []
    if (file !== undefined && !names.has(file)) await rm(join(outDir, name), { force: true })
  }
}
