// Moving the gateway's clock: one move at a time, each waits until all that became due has run, or for as long as it may.
import { ok, type Result } from '../../src/kernel/result.ts'
import { type Instant, second } from '../../src/kernel/time.ts'
import type { SandboxClock } from './clock.ts'
import { readMove } from './move.ts'

/**
 * Requests time out after 30 s: a move is answered before that with what ran, and the rest continues. The time for which
 * it waits for the moves before it counts too, so that many at once, with merchants whose servers hang, are all answered.
 */
const moveMsMaxDefault = 20 * second

/** Runs everything that is due at `now`, until `deadline`; answers how many of each kind. */
export type RunDue = (now: Instant, deadline: AbortSignal) => Promise<Readonly<Record<string, number>>>

export interface Arrival {
  readonly now: Instant
  readonly ran: Readonly<Record<string, number>>
  /** Whether something may still be due: the rest continues by itself. */
  readonly more: boolean
}

export interface TimeTravel {
  now(): Instant
  /** Refusals: missing_parameter, invalid_parameter; see {@link readMove}. */
  move(by: { readonly advance?: unknown; readonly set?: unknown }): Promise<Result<Arrival>>
}

export function createTimeTravel(
  clock: SandboxClock,
  runDue: RunDue,
  moveMsMax = moveMsMaxDefault,
): TimeTravel {
  let before: Promise<unknown> = Promise.resolve()

  async function travel(
    by: Parameters<TimeTravel['move']>[0],
    deadline: AbortSignal,
  ): Promise<Result<Arrival>> {
    const move = readMove(by, clock.now())
    if (!move.ok) return move
    const now = await clock.move(move.value)
    const ran = await runDue(now, deadline)
    return ok({ now, ran, more: deadline.aborted })
  }

  return {
    now: () => clock.now(),
    move(by) {
      const deadline = AbortSignal.timeout(moveMsMax)
      const mine = before.then(() => travel(by, deadline))
      before = mine.catch(() => undefined)
      return mine
    },
  }
}
