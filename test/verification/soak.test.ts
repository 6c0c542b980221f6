// The soak kills and restarts its PostgreSQL, reports a failure, and leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'
import { killProcessesOf } from './soak/database-server.ts'
import { comporta } from './soak/merchants.ts'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The answer of a PostgreSQL that is still starting: an error with severity, code and message. */
const startingUp = (() => {
  const fields = Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + fields.length)
  return Buffer.concat([Buffer.from('E'), length, fields])
})()

function workingIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) && readlinkSync(`/proc/${entry}/cwd`) === folder ? [Number(entry)] : []
    } catch {
      return []
    }
  })
}

describe('its PostgreSQL', () => {
  let server: PostgresServer
  let dataDir: string
  beforeAll(async () => {
    server = await startPostgres({ settings: ['fsync=off'] })
    dataDir = mkdtempSync(join(tmpdir(), 'comporta-soak-test-'))
  })
  afterAll(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('is killed with every process of it, also those that are just being forked', async () => {
    const port = Number(new URL(server.url('postgres')).port)
    const left: number[] = []
    for (let round = 0; round < 10; round++) {
      // Each connection of PostgreSQL is a process. New ones start while the test kills the others.
      let isOver = false
      let connections = 0
      const come = async () => {
        while (!isOver) {
          await new Promise<void>((resolve) => {
            const socket = connect(port, '127.0.0.1').on('error', () => resolve())
            socket.once('connect', () => {
              connections += 1
              setTimeout(() => resolve(void socket.destroy()), 5)
            })
          })
          await pause(1)
        }
      }
      const coming = Array.from({ length: 20 }, come)
      await expect.poll(() => connections, { interval: 5 }).toBeGreaterThan(30)
      killProcessesOf(server)
      left.push(...workingIn(server.dataFolder))
      isOver = true
      await Promise.all(coming)
      await server.resume()
    }
    expect(left).toEqual([])
  })

  it('delays the commands of a soak until it answers', async () => {
    const databaseUrl = server.url('waited')
    await server.createDatabase('waited')
    const gateway = await startGatewayProcess({ dataDir, databaseUrl, port: await freePort() })
    await gateway.stop()
    await server.interrupt()
    let tries = 0
    const starting = createServer((socket) => {
      tries += 1
      socket.once('data', () => socket.end(startingUp)).on('error', () => undefined)
    })
    starting.listen(Number(new URL(databaseUrl).port), '127.0.0.1')
    await once(starting, 'listening')
    const audit = comporta({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, 'audit')
    await expect.poll(() => tries).toBeGreaterThan(0)
    starting.close()
    await once(starting, 'close')
    await server.resume()
    expect(await audit).toMatchObject({ ok: true })
  })

  it('that fails at its start is reported with its own output', async () => {
    await server.interrupt()
    const settings = join(server.dataFolder, 'PG_VERSION')
    const version = readFileSync(settings)
    rmSync(settings)
    await expect(server.resume()).rejects.toThrow(
      /PostgreSQL ended as it began: .*not a valid data directory/s,
    )
    writeFileSync(settings, version)
    await server.resume()
  })
})

describe('a soak that fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-failed-soak-'))
  let soak: ChildProcess
  // PostgreSQL may run as another user, which must reach the folder.
  beforeAll(() => chmodSync(folder, 0o755))
  afterAll(() => {
    soak.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('reports one sentence, and leaves no process and no folder', async () => {
    soak = spawn(process.execPath, ['test/verification/soak/index.ts', '--minutes', '1', '--gateways', '1'], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [soak.stdout, soak.stderr]) stream?.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((resolve) => soak.once('close', resolve))
    const dataFolders = () =>
      readdirSync(folder)
        .map((name) => join(folder, name, 'data'))
        // PostgreSQL writes this file when it serves, not while its files are created.
        .filter((path) => existsSync(join(path, 'postmaster.opts')))
    await expect.poll(dataFolders).toHaveLength(1)
    const [dataFolder = ''] = dataFolders()
    rmSync(join(dataFolder, 'PG_VERSION'))
    for (const pid of workingIn(dataFolder)) process.kill(pid, 'SIGKILL')
    expect(await ended).toBe(1)
    expect(output).toMatch(/^The soak ended early: \S.*$/m)
    expect(output).not.toMatch(/^ {4}at /m)
    expect(workingIn(dataFolder)).toEqual([])
    // The programs of PostgreSQL stay for the next run.
    expect(readdirSync(folder).filter((one) => !/^comporta-postgres-\d+\.\d+\./.test(one))).toEqual([])
  })
})
