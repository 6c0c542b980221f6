// The free space of the disk under the embedded database, watched so that writes stop before the disk is full.
import { statfs } from 'node:fs/promises'

export const bytesPerMebibyte = 1024 * 1024
const lookEveryMs = 1000

export interface FreeSpace {
  readonly freeBytes: number
  /** Whether less is free than is wanted. */
  readonly short: boolean
}

export interface FreeSpaceWatch {
  /** What the last look saw. */
  last(): FreeSpace
  stop(): void
}

/** What is free for this process on the disk that holds `folder`. */
export async function lookAtFreeSpace(folder: string, bytesMin: number): Promise<FreeSpace> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  return { freeBytes, short: freeBytes < bytesMin }
}

/**
 * Looks every second, and calls `onChange` when space becomes short and when it no longer is. A call is over before
 * the next look; one that fails is made again.
 */
export function watchFreeSpace(
  folder: string,
  bytesMin: number,
  onChange: (space: FreeSpace) => Promise<void>,
): FreeSpaceWatch {
  let last: FreeSpace = { freeBytes: Number.POSITIVE_INFINITY, short: false }
  let stopped = false
  let timer = setTimeout(look, lookEveryMs).unref()

  async function look(): Promise<void> {
    try {
      const space = await lookAtFreeSpace(folder, bytesMin)
      if (space.short !== last.short) await onChange(space)
      last = space
    } catch {
      // A disk that cannot be asked says nothing new; the next look asks again.
    }
    if (!stopped) timer = setTimeout(look, lookEveryMs).unref()
  }

  return {
    last: () => last,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
