// Watch on free disk space of the embedded database.
import { statfs } from 'node:fs/promises'

export const bytesPerMebibyte = 1024 * 1024
const pollEveryMs = 1000

export interface FreeSpace {
  readonly freeBytes: number
  readonly short: boolean
}

export interface FreeSpaceWatch {
  last(): FreeSpace
  stop(): void
}

export async function measureFreeSpace(folder: string, bytesMin: number): Promise<FreeSpace> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  return { freeBytes, short: freeBytes < bytesMin }
}

/** Checks every second and reports each change. Checks never overlap. A failed report is repeated. */
export function watchFreeSpace(
  folder: string,
  bytesMin: number,
  onChange: (space: FreeSpace) => Promise<void>,
): FreeSpaceWatch {
  let last: FreeSpace = { freeBytes: Number.POSITIVE_INFINITY, short: false }
  let stopped = false
  let timer = setTimeout(look, pollEveryMs).unref()

  async function look(): Promise<void> {
    try {
      const space = await measureFreeSpace(folder, bytesMin)
      if (space.short !== last.short) await onChange(space)
      last = space
    } catch {}
    if (!stopped) timer = setTimeout(look, pollEveryMs).unref()
  }

  return {
    last: () => last,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
