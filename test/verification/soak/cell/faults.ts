// Faults of a highly available cell, caused one after the other.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, DatabaseName } from '../../../../tools/ha/cell.ts'
import { signal } from '../../../../tools/ha/processes.ts'
import type { SmallDisk } from '../../../small-disk.ts'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const awayMs = 30_000
const fullMs = 10_000
const lookMs = 250
const wholeSecondsMax = 180

export interface Place {
  readonly cell: Cell
  /** The disks of the database machines. Empty if this user may not mount. */
  readonly disks: ReadonlyMap<DatabaseName, SmallDisk>
}

export interface Fault {
  readonly name: string
  /** The longest promised time without an answer, in seconds. Absent if nothing is promised. */
  readonly gapSecondsMax?: number
  isPossible(place: Place): boolean
  /** Causes the fault. Resolves when its cause is over. */
  happen(place: Place, primary: DatabaseName): Promise<void>
}

export const faults: readonly Fault[] = [
  {
    name: 'machine of the primary',
    // The standby takes over 20 s after the last renewal, which is the shortest ttl of Patroni.
    gapSecondsMax: 22,
    isPossible: () => true,
    async happen({ cell }, primary) {
      cell.kill(primary)
      await untilPrimaryIsNot(cell, primary)
      cell.start(primary)
    },
  },
  {
    name: 'PostgreSQL of the primary',
    gapSecondsMax: 5,
    isPossible: () => true,
    async happen({ cell }, primary) {
      const file = join(cell.machines[primary].folder, 'data', 'pg', 'postmaster.pid')
      signal(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL')
      await untilPrimaryIsNot(cell, primary)
    },
  },
  {
    name: 'switchover',
    gapSecondsMax: 4,
    isPossible: () => true,
    happen: ({ cell }) => cell.switchover(),
  },
  {
    name: 'etcd away',
    isPossible: () => true,
    async happen({ cell }) {
      const etcds = Object.values(cell.machines).flatMap((machine) => machine.processOf('etcd.log') ?? [])
      for (const pid of etcds) signal(pid, 'SIGSTOP')
      await pause(awayMs)
      for (const pid of etcds) signal(pid, 'SIGCONT')
    },
  },
  {
    name: 'network of the primary',
    isPossible: ({ cell }) => cell.network.cut !== undefined,
    async happen({ cell }, primary) {
      cell.network.cut?.(primary, true)
      await pause(awayMs)
      cell.network.cut?.(primary, false)
    },
  },
  {
    name: 'full disk of the primary',
    isPossible: ({ disks }) => disks.size > 0,
    async happen({ disks }, primary) {
      const disk = disks.get(primary)
      disk?.fillTo(0)
      await pause(fullMs)
      disk?.empty()
    },
  },
]

async function untilPrimaryIsNot(cell: Cell, former: DatabaseName): Promise<void> {
  await until(`another primary than ${former}`, async () => {
    const primary = await cell.primary()
    return primary !== undefined && primary !== former
  })
}

export function untilWhole(cell: Cell): Promise<void> {
  return until('a whole cell', cell.isWhole)
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + wholeSecondsMax * 1000; performance.now() < end; ) {
    if (await look()) return
    await pause(lookMs)
  }
  throw new Error(`there was not ${what} within ${wholeSecondsMax} s`)
}

/** Whether this process may create network namespaces. */
export function mayIsolate(): boolean {
  try {
    execFileSync('unshare', ['--net', '--mount', 'ip', 'link', 'add', 'cell', 'type', 'bridge'], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}
