// Build of the SDK: sdk/src → sdk/dist, for `import` and `require`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const sdk = join(root, 'sdk')
const stampName = '.stamp'
const generatedTypes = join('generated', 'schema.d.ts')

/** Compiler options of each kind of module; a `package.json` in each folder names the kind. */
const kinds = {
  esm: { type: 'module', args: [] },
  cjs: {
    type: 'commonjs',
    args: ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
  },
} as const

const wanted = stampOfSources()
if (readStamp() !== wanted) {
  console.log('Building the SDK …')
  build()
}

function stampOfSources(): string {
  const hash = createHash('sha256')
  const sources = globSync('sdk/src/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') })
  for (const path of [...sources.sort(), 'sdk/tsconfig.json', 'tsconfig.json', 'tools/build-sdk.ts'])
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function readStamp(): string | undefined {
  try {
    return readFileSync(join(sdk, 'dist', stampName), 'utf8')
  } catch {
    return undefined
  }
}

/** Puts the build into its place by a rename, because other processes may build or read at the same time. */
function build(): void {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const draft = mkdtempSync(join(root, 'dist', 'sdk-draft-'))
  try {
    for (const [kind, { type, args }] of Object.entries(kinds)) {
      const folder = join(draft, kind)
      const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
      execFileSync(process.execPath, [tsc, '-p', sdk, '--outDir', folder, ...args], { stdio: 'inherit' })
      cpSync(join(sdk, 'src', generatedTypes), join(folder, generatedTypes))
      writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`)
    }
    writeFileSync(join(draft, stampName), wanted)
    rmSync(join(sdk, 'dist'), { recursive: true, force: true })
    renameSync(draft, join(sdk, 'dist'))
  } catch (error) {
    if (readStamp() !== wanted) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
