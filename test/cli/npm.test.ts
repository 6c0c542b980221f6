// A SIGTERM to `npm start` or `npx comporta` reaches the gateway or command.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'

const root = join(import.meta.dirname, '..', '..')
const dataDir = mkdtempSync(join(tmpdir(), 'comporta-npm-'))
const running: ChildProcess[] = []
afterAll(() => {
  for (const { pid } of running) killGroup(pid as number)
  rmSync(dataDir, { recursive: true, force: true })
})

/** Processes left by a failed test. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

function start(command: string, args: readonly string[], environment: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}:${PATH}`,
    HOME,
    DATA_DIR: dataDir,
    ...environment,
  }
  const child = spawn(command, args, { cwd: root, env, detached: true })
  running.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      printed += data
    })
  /** Resolves when no process can print any more. */
  const allEnded = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return { child, printed: () => printed, allEnded }
}

it('ends with npm start and with npx comporta listen', async () => {
  const port = String(await freePort())
  // `--ignore-scripts` leaves out the build before the start.
  const gateway = start('npm', ['start', '--ignore-scripts'], { PORT: port })
  await expect.poll(gateway.printed).toContain('4176 6600 0000 0092')
  const command = start('npx', ['comporta', 'listen', '--forward-to', '3000'], {})
  await expect.poll(command.printed).toContain('Ctrl-C ends')

  command.child.kill('SIGTERM')
  await command.allEnded
  gateway.child.kill('SIGTERM')
  await gateway.allEnded
  await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow('fetch failed')
})
