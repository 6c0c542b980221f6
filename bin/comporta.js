#!/usr/bin/env node
// Starts the comporta command on a Node that runs TypeScript, even if the system finds an older one first.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import * as module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const { createRequire, enableCompileCache } = module
const nodeMajorMin = 24
const lookEveryMs = 500

returnFreedMemory()
endWithNpm()

if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) {
  // Compiled once for all starts: half the time to start, and 15 MB less for the compiler of TypeScript.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/comporta', import.meta.url)))
  const built = join(await programFolder(), 'cli.js')
  await import(existsSync(built) ? pathToFileURL(built).href : '../src/cli.ts')
} else {
  const node = bundledNode()
  if (node === undefined) {
    console.error(`comporta needs Node ${nodeMajorMin} or newer; npm ci brings one with it`)
    process.exitCode = 1
  } else {
    runOn(node)
  }
}

/**
 * Restarts `serve` in the same process with settings for the C library, which reads them only at its start. Otherwise it
 * keeps 50 MiB of freed memory, and 200 MiB after V8 has compiled the embedded database. Smaller blocks go back to the
 * system too with the embedded database: V8 compiles in blocks of 32 KiB.
 */
function returnFreedMemory() {
  const { platform, execve, execPath, execArgv, argv, env, channel } = process
  // The channel of a parent process would end.
  if (platform !== 'linux' || execve === undefined || channel != null) return
  if (argv[2] !== 'serve' || env.MALLOC_ARENA_MAX !== undefined) return
  const blockBytes = env.DATABASE_URL ? 131_072 : 32_768
  execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
    ...env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: String(blockBytes),
    MALLOC_TRIM_THRESHOLD_: '131072',
  })
}

/** The folder with the build of these sources. An npm package has one build and no sources. */
async function programFolder() {
  const root = fileURLToPath(new URL('..', import.meta.url))
  if (existsSync(join(root, 'src', 'cli.ts')))
    return (await import('./built-program.ts')).builtProgramFolder(root)
  const builds = join(root, 'dist', 'program')
  return join(builds, readdirSync(builds)[0])
}

/** A SIGTERM of npm reaches only the shell between it and us: when that has ended, we get another parent, and end too. */
function endWithNpm() {
  const isUnderNpm = ['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '')
  if (!isUnderNpm || process.platform === 'win32') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, lookEveryMs)
  timer.unref()
}

/** The Node that npm ci installed with the other packages: the optional dependency for this system. */
function bundledNode() {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const program = join(dirname(manifest), 'bin', platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

/** The child receives our signals, and we end as it ends. */
function runOn(node) {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well, and a second one would cut its draining short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`comporta could not start ${node}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + constants.signals[signal])
  })
}
