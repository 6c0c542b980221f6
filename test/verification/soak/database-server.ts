// A PostgreSQL for the soak: it is killed with all its processes, and its tables can lie on a disk that is filled.
import { execFileSync } from 'node:child_process'
import { chownSync, readdirSync, readlinkSync } from 'node:fs'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../postgres-server.ts'
import { mountSmallDisk, type SmallDisk } from '../../small-disk.ts'

const nobody = 65534
const diskMb = 1024
/** With a disk that is full at that moment, or a machine that is busy, it needs several tries. */
const resumeSecondsMax = 180
const resumePauseMs = 500
/** Until those that were killed are gone. */
const goneSecondsMax = 20
const gonePauseMs = 2
const name = 'soak'

export interface DatabaseServer {
  readonly url: string
  readonly port: number
  /** SIGKILL to every process of it, and a new start on the same files. */
  kill(): Promise<void>
  /** Where its tables lie; undefined where this machine lets nobody mount a disk. */
  readonly disk: SmallDisk | undefined
  /** Writes all of it into a file, for whoever looks for what went wrong. */
  dumpTo(file: string): void
  stop(): Promise<void>
}

/** Starts a PostgreSQL with an empty database. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  // The machine itself does not lose its power here, so nothing is gained by waiting for the disk.
  const server = await startPostgres({ settings: ['fsync=off', 'max_connections=300'] })
  const disk = mountSmallDisk(diskMb)
  const url = server.url(name)
  // Before its folder is removed.
  const killWithUs = () => killProcessesOf(server)
  process.prependOnceListener('exit', killWithUs)
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  if (disk !== undefined && process.getuid?.() === 0) {
    chownSync(disk.folder, nobody, nobody)
    await client.query(`create tablespace small_disk location '${disk.folder}'`)
    await client.query(`create database ${name} tablespace small_disk`)
  } else await client.query(`create database ${name}`)
  await client.end()
  return {
    url,
    port: Number(new URL(url).port),
    disk,
    async kill() {
      killProcessesOf(server)
      await resume(server)
    },
    dumpTo(file) {
      // With the tables, which lie behind a link on the small disk.
      execFileSync('cp', ['-rL', server.dataFolder, file])
    },
    async stop() {
      await server.stop()
      process.off('exit', killWithUs)
      disk?.remove()
    },
  }
}

/**
 * SIGKILL to every process of a PostgreSQL, again until none is left: one that is being forked is in no list yet, and
 * while it is there the server does not start again. They are found by the folder that they work in, also those whose parent is gone.
 */
export function killProcessesOf({ dataFolder }: Pick<PostgresServer, 'dataFolder'>): void {
  const end = performance.now() + goneSecondsMax * 1000
  for (let left = workingIn(dataFolder); left.length > 0; left = workingIn(dataFolder)) {
    if (performance.now() > end)
      throw new Error(
        `PostgreSQL was killed, and after ${goneSecondsMax} s processes of it are still there: ${left.join(', ')}`,
      )
    for (const pid of left) killIfThere(pid)
    // It is called as this process ends, too, when nothing can be waited for.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, gonePauseMs)
  }
}

/** Processes that work in a folder; those that have ended work in none. */
function workingIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && folderOf(entry) === folder)
    .map(Number)
}

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** A server that finds what the killed one left behind may need another start. */
async function resume(server: PostgresServer): Promise<void> {
  const end = performance.now() + resumeSecondsMax * 1000
  for (;;)
    try {
      return await server.resume()
    } catch (error) {
      if (performance.now() > end)
        throw new Error(
          `PostgreSQL was killed, and did not start again within ${resumeSecondsMax} s: ${(error as Error).message}`,
        )
      await new Promise((resolve) => setTimeout(resolve, resumePauseMs))
    }
}
