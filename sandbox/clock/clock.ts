// The sandbox's clock: machine time plus a shared offset.
import { type Clock, type Instant, instant } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { findOffset, growOffset } from './store.ts'

const channel = 'sandbox_clock'

export interface SandboxClock extends Clock {
  /**
   * Moves time forward. If another process moves it first, `target` is called again with the new present.
   *
   * @returns the new present; unchanged if the target is in the past
   */
  move(target: (now: Instant) => Instant): Promise<Instant>
}

export interface SandboxClockDeps {
  readonly database: Database
  readonly base: Clock
  /** Called if the new offset cannot be read. */
  readonly onError?: (error: unknown) => void
}

/** Loads the offset and follows moves by other processes. */
export async function createSandboxClock(deps: SandboxClockDeps): Promise<SandboxClock> {
  const { database, base } = deps
  let offset = 0

  /** A late notification never moves time back. */
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
