// The comporta command as a separate process.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const cli = join(import.meta.dirname, '..', '..', 'bin', 'comporta.js')

export interface RunningCommand {
  /** Lines of standard output so far. */
  lines(): string[]
  /** The lines of standard output so far, each read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as a script reads them
  json(): any[]
  /** Standard error so far. */
  said(): string
  readonly child: ChildProcess
  /** The exit code of the process, once it has ended. */
  readonly ended: Promise<number | null>
  /** Sends Ctrl-C, and returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts `comporta <args>` with only the variables in `environment`. */
export function startCommand(args: readonly string[], environment: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  void ended.then(() => process.off('exit', killWithUs))
  const lines = () => out.split('\n').filter((line) => line !== '')
  return {
    lines,
    json: () => lines().map((line) => JSON.parse(line)),
    said: () => err,
    child,
    ended,
    stop() {
      child.kill('SIGINT')
      return ended
    },
  }
}
