// Builds the program from src/ and other folders into dist/program, because a start from two thousand files takes
// longer. `--production` builds dist/production, without the sandbox and the shop.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { builtProgramFolder } from '../bin/built-program.ts'

/** These packages consist of many small files, so they go into the build. npm's copy of the others is used. */
const bundledPackages = [
  'typebox',
  '@fastify/type-provider-typebox',
  'kysely',
  'libphonenumber-js',
  'temporal-polyfill',
  'temporal-utils',
  'standardwebhooks',
  '@stablelib/base64',
  'fast-sha256',
]
/** The build before stays, because another process may still load parts of it. */
const keptBuilds = 2

const root = join(import.meta.dirname, '..')
const isForProduction = process.argv.includes('--production')
const whole = builtProgramFolder()
const folder = isForProduction ? join(root, 'dist', 'production', basename(whole)) : whole
if (!existsSync(folder)) {
  console.log('Building the program from its sources …')
  await build(folder)
  await prune(dirname(folder), keptBuilds)
}
if (process.argv.includes('--only')) await prune(dirname(folder), 1)

/** Puts the build into its place by a rename, because other processes may build or start at the same time. */
async function build(wanted: string): Promise<void> {
  // Vite loads only for a build, because it takes longer than the check for changes.
  const { build: bundle } = await import('vite')
  await mkdir(dirname(wanted), { recursive: true })
  // The draft is outside the folder of builds, where another process could use it too early.
  const draft = await mkdtemp(`${dirname(wanted)}-draft-`)
  try {
    await bundle({
      configFile: false,
      logLevel: 'warn',
      resolve: {
        alias: {
          '@comporta/sdk': join(root, 'sdk', 'src', 'index.ts'),
          ...(isForProduction && { '../sandbox/index.ts': join(root, 'src', 'no-sandbox.ts') }),
        },
      },
      ssr: { noExternal: bundledPackages },
      build: {
        ssr: true,
        target: 'node24',
        outDir: draft,
        minify: false,
        rollupOptions: {
          input: {
            cli: 'src/cli.ts',
            'bank-file-reader': 'src/bank-files/incoming/reader-thread.ts',
          },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    })
    await rename(draft, wanted).catch((error: unknown) => {
      if (!existsSync(wanted)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function prune(folderOfBuilds: string, kept: number): Promise<void> {
  const builds = await Promise.all(
    (await readdir(folderOfBuilds)).map(async (name) => {
      const path = join(folderOfBuilds, name)
      return { path, builtAt: (await stat(path)).mtimeMs }
    }),
  )
  const others = builds.filter(({ path }) => path !== folder)
  others.sort((one, other) => other.builtAt - one.builtAt)
  for (const { path } of others.slice(kept - 1)) await rm(path, { recursive: true, force: true })
}
