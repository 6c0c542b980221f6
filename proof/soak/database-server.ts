// A PostgreSQL for the soak: it is killed with all its processes, and its tables can lie on a disk that is filled.
import { execFileSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../test/postgres-server.ts'
import { mountSmallDisk, type SmallDisk } from '../../test/small-disk.ts'

const nobody = 65534
const diskMb = 1024
const resumeTriesMax = 20
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
      const pid = pidOf(server)
      for (const one of [pid, ...childrenOf(pid)]) killIfThere(one)
      await resume(server)
    },
    dumpTo(file) {
      // With the tables, which lie behind a link on the small disk.
      execFileSync('cp', ['-rL', server.dataFolder, file])
    },
    async stop() {
      await server.stop()
      disk?.remove()
    },
  }
}

/** The first line of its pid file. */
function pidOf({ dataFolder }: PostgresServer): number {
  return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === parent)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
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
  for (let round = 1; ; round++)
    try {
      return await server.resume()
    } catch (error) {
      if (round === resumeTriesMax) throw error
    }
}
