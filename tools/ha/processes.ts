// Finds the processes of a cell by their working folder.
import { readdirSync, readlinkSync } from 'node:fs'

const goneSecondsMax = 30
const gonePauseMs = 20

/** Ids of all processes whose working folder is `folder` or a folder in it. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && worksIn(folder, entry))
    .map(Number)
}

function worksIn(folder: string, pid: string): boolean {
  try {
    const path = readlinkSync(`/proc/${pid}/cwd`)
    return path === folder || path.startsWith(`${folder}/`)
  } catch {
    return false
  }
}

/**
 * Kills every process in `folder`, and looks again until none is left, because a list can miss a new child. It is
 * synchronous, because a process that ends cannot wait.
 */
export function killIn(folder: string): void {
  const end = performance.now() + goneSecondsMax * 1000
  for (let left = processesIn(folder); left.length > 0; left = processesIn(folder)) {
    if (performance.now() > end)
      throw new Error(`processes of ${folder} are still there after ${goneSecondsMax} s: ${left.join(', ')}`)
    for (const pid of left) signal(pid, 'SIGKILL')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, gonePauseMs)
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}
