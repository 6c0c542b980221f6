// The PostgreSQL of the soak. All its processes are killed together. It is on a small disk if possible.
import { execFileSync } from 'node:child_process'
import { chownSync, readdirSync, readlinkSync } from 'node:fs'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../postgres-server.ts'
import { mountSmallDisk, type SmallDisk } from '../../small-disk.ts'

const nobody = 65534
const diskMb = 1024
/** With a full disk or on a busy machine, the start needs several tries. */
const resumeSecondsMax = 180
const resumePauseMs = 500
const goneSecondsMax = 20
const gonePauseMs = 2
const name = 'soak'

export interface DatabaseServer {
  readonly url: string
  readonly port: number
  kill(): Promise<void>
  readonly disk: SmallDisk | undefined
  dumpTo(file: string): void
  stop(): Promise<void>
}

export async function startDatabaseServer(): Promise<DatabaseServer> {
  // The machine does not lose power, so it makes no difference to wait for the disk.
  const server = await startPostgres({ settings: ['fsync=off', 'max_connections=300'] })
  const disk = mountSmallDisk(diskMb)
  const url = server.url(name)
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
 * Kills every process of a PostgreSQL with SIGKILL, until none is left, because a list can miss a new child. It finds
 * them by their working folder, so it also finds children whose parent has died.
 */
export function killProcessesOf({ dataFolder }: Pick<PostgresServer, 'dataFolder'>): void {
  const end = performance.now() + goneSecondsMax * 1000
  for (let left = workingIn(dataFolder); left.length > 0; left = workingIn(dataFolder)) {
    if (performance.now() > end)
      throw new Error(
        `PostgreSQL was killed, and after ${goneSecondsMax} s processes of it are still there: ${left.join(', ')}`,
      )
    for (const pid of left) killIfThere(pid)
    // This also runs at the end of the process, which cannot await.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, gonePauseMs)
  }
}

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
  } catch {}
}

/** After a kill, a server can find old files of the killed one and need another start. */
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
