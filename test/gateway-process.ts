// The gateway as its own process, as an operator runs it: started, killed, started again on the same data.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CrashPoint, deathNote } from '../src/kernel/crash-points.ts'
import type { EndedCommand } from './command-here.ts'
import { patienceSeconds } from './patience.ts'
import { programEnvironment, programFile } from './program.ts'

const root = join(import.meta.dirname, '..')
/** What `npm start` runs, without npm between us and its signals. */
const { start } = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts
const startArguments = start.split(' ').slice(1)
/** The same, quicker to start: these processes live for seconds, and their database is compiled quickly rather than well. */
const briefArguments = () => [
  '--liftoff-only',
  ...startArguments.map((argument) => (argument === 'bin/comporta.js' ? programFile() : argument)),
]
/** A file to which gateways append each two effects without a crash point between them: they run from the sources then. */
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
  /** Everything it printed. */
  output(): string
  readonly pid: number
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Has it die at a crash point, the `count`th time that it comes there from now. */
  armCrash(point: CrashPoint, count?: number): Promise<void>
  /** Waits until it has died at its crash point; throws if it ended otherwise, or never came there. */
  crashed(): Promise<void>
  /** `comporta <args>` on the modules of this gateway; absent: the command finds the gateway by its settings. */
  cli?(args: readonly string[]): Promise<EndedCommand>
}

export interface GatewayOptions {
  readonly dataDir: string
  readonly port: number
  readonly databaseUrl?: string | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** What Node is started with; else what `npm start` runs. */
  readonly nodeArguments?: readonly string[] | undefined
  /** Where the sources are that it runs from; else here. */
  readonly folder?: string
  /** Exactly as `npm start` does it: slower to start, and as fast as it gets. */
  readonly asStarted?: boolean
}

/** Starts the gateway and waits until it is ready. */
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
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // A test that fails before it stops its gateway leaves none behind.
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
      // What it said last has arrived when its pipes are closed.
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
