// Moving the gateway's clock: one move at a time, each waits until all that became due has run.
import { ok, type Result } from '../../src/kernel/result.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type { SandboxClock } from './clock.ts'
import { readMove } from './move.ts'

/** Runs everything that is due at `now`; answers how many of each kind. */
export type RunDue = (now: Instant) => Promise<Readonly<Record<string, number>>>

export interface Arrival {
  readonly now: Instant
  readonly ran: Readonly<Record<string, number>>
}

export interface TimeTravel {
  now(): Instant
  /** Refusals: missing_parameter, invalid_parameter; see {@link readMove}. */
  move(by: { readonly advance?: unknown; readonly set?: unknown }): Promise<Result<Arrival>>
}

export function createTimeTravel(clock: SandboxClock, runDue: RunDue): TimeTravel {
  let before: Promise<unknown> = Promise.resolve()

  async function travel(by: Parameters<TimeTravel['move']>[0]): Promise<Result<Arrival>> {
    const move = readMove(by, clock.now())
    if (!move.ok) return move
    const now = await clock.move(move.value)
    return ok({ now, ran: await runDue(now) })
  }

  return {
    now: () => clock.now(),
    move(by) {
      const mine = before.then(() => travel(by))
      before = mine.catch(() => undefined)
      return mine
    },
  }
}
