// The gateway as a separate process, which tests start, kill and restart.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CrashPoint, deathNote } from '../src/kernel/crash-points.ts'
import type { EndedCommand } from './command-here.ts'
import { patienceSeconds } from './patience.ts'
import { programEnvironment, programFile } from './program.ts'

const root = join(import.meta.dirname, '..')
/** The command of `npm start` without npm, because npm would receive the signals. */
const { start } = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts
const startArguments = start.split(' ').slice(1)
/** These processes live for seconds, so the embedded database is compiled in the quick way. */
const briefArguments = () => [
  '--liftoff-only',
  ...startArguments.map((argument) => (argument === 'bin/comporta.js' ? programFile() : argument)),
]
/** The file for gaps without a crash point. To record them, gateways run from the sources. */
const gapsFile = process.env.EFFECT_GAPS
const recording = [
  '--liftoff-only',
  '--import',
  join(root, 'test', 'crashes', 'gaps', 'record.ts'),
  'src/cli.ts',
  'serve',
]
const readyPauseMs = 100

export interface GatewayProcess {
  readonly baseUrl: string
  output(): string
  readonly pid: number
  stop(): Promise<number | null>
  kill(): Promise<void>
  armCrash(point: CrashPoint, count?: number): Promise<void>
  crashed(): Promise<void>
  cli?(args: readonly string[]): Promise<EndedCommand>
}

export interface GatewayOptions {
  readonly dataDir: string
  readonly port: number
  readonly databaseUrl?: string | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
  readonly nodeArguments?: readonly string[] | undefined
  readonly folder?: string
  /** Uses the same arguments as `npm start`, which make the start slower and the rest faster. */
  readonly asStarted?: boolean
}

export async function startGatewayProcess(options: GatewayOptions): Promise<GatewayProcess> {
  const { dataDir, port, databaseUrl, folder = root } = options
  const usual =
    gapsFile !== undefined ? recording : options.asStarted === true ? startArguments : briefArguments()
  const child = spawn(process.execPath, options.nodeArguments ?? usual, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...programEnvironment,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(gapsFile === undefined ? {} : { EFFECT_GAPS: gapsFile }),
      ...options.environment,
    },
    // With an IPC channel the program would not restart itself with its settings for memory.
    stdio: options.asStarted === true ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // If the test fails, no gateway may stay behind.
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  child.once('exit', () => process.off('exit', killWithUs))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let armed: CrashPoint | undefined
  const baseUrl = `http://127.0.0.1:${port}`
  await untilReady(child, baseUrl, () => output)

  return {
    baseUrl,
    output: () => output,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async armCrash(point, count = 1) {
      const answered = new Promise((resolve) => child.once('message', resolve))
      child.send({ crashAt: `${point}:${count}` })
      const answer = (await answered) as { refused?: string }
      if (answer.refused !== undefined) throw new Error(`there is no such crash point: ${answer.refused}`)
      armed = point
    },
    async crashed() {
      if (armed === undefined) throw new Error('no crash was asked for')
      const late = setTimeout(() => child.kill('SIGTERM'), patienceSeconds * 1000)
      // The last output of the process arrives before the pipes close.
      await closed
      clearTimeout(late)
      if (child.signalCode === 'SIGKILL' && output.includes(deathNote(armed))) return
      throw new Error(`the gateway did not die at the crash point "${armed}": ${output}`)
    },
  }
}

async function untilReady(child: ChildProcess, baseUrl: string, output: () => string): Promise<void> {
  for (const end = performance.now() + patienceSeconds * 1000; performance.now() < end; ) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the gateway ended: ${output()}`)
    const ready = await fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, readyPauseMs))
  }
  child.kill('SIGKILL')
  throw new Error(`the gateway was not ready in time: ${output()}`)
}
