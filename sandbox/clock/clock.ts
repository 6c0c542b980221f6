// The sandbox's clock: the time of the machine plus an offset that all processes share.
import { type Clock, type Instant, instant } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { findOffset, growOffset } from './store.ts'

const channel = 'sandbox_clock'

export interface SandboxClock extends Clock {
  /**
   * Moves time forward. If another process moves it first, this calls `target` again with the new time.
   * @returns the new time; unchanged if the target is in the past
   */
  move(target: (now: Instant) => Instant): Promise<Instant>
}

export interface SandboxClockDeps {
  readonly database: Database
  readonly base: Clock
  readonly onError?: (error: unknown) => void
}

/** Loads the offset, and again whenever another process moves the clock. */
export async function createSandboxClock(deps: SandboxClockDeps): Promise<SandboxClock> {
  const { database, base } = deps
  let offset = 0

  /** A notification can arrive late. The larger offset wins, so that time never goes back. */
  async function reload(): Promise<void> {
    offset = Math.max(offset, await findOffset(database))
  }

  function now(): Instant {
    return instant(base.now() + offset)
  }

  async function move(target: (now: Instant) => Instant): Promise<Instant> {
    for (;;) {
      await reload()
      const known = offset
      const moved = Math.max(known, target(now()) - base.now())
      if (!(await growOffset(database, known, moved))) continue
      offset = Math.max(offset, moved)
      await database.notify(channel, '')
      return now()
    }
  }

  await database.listen(channel, () => {
    reload().catch((error) => deps.onError?.(error))
  })
  await reload()
  return { now, move, movedBy: () => offset }
}
