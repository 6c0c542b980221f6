// The sandbox's time: the machine's, plus an offset that everybody shares and that only ever grows.
import { type Clock, type Instant, instant } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { findOffset, growOffset } from './store.ts'

const channel = 'sandbox_clock'

export interface SandboxClock extends Clock {
  /**
   * Moves time forward to what `target` makes of the present. Two that move it at once both count:
   * whoever comes second is asked for its target again, from the new present.
   *
   * @returns the new present; a target in the past changes nothing
   */
  move(target: (now: Instant) => Instant): Promise<Instant>
}

export interface SandboxClockDeps {
  readonly database: Database
  /** What runs by itself: the machine's clock, unless a simulation says otherwise. */
  readonly base: Clock
  /** Told when the offset cannot be read again after another process moved it. */
  readonly onError?: (error: unknown) => void
}

/** Loads the offset and follows every move by another process. */
export async function createSandboxClock(deps: SandboxClockDeps): Promise<SandboxClock> {
  const { database, base } = deps
  let offset = 0

  /** Also with a notice that comes late: what another process moved is never taken back. */
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
