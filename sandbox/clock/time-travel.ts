// Moves of the gateway's clock, one after the other.
import { ok, type Result } from '../../src/kernel/result.ts'
import { type Instant, second } from '../../src/kernel/time.ts'
import type { SandboxClock } from './clock.ts'
import { readMove } from './move.ts'

/**
 * A request times out after 30 s. So a move is answered after this time, and its work continues in the background.
 * The wait for earlier moves counts too.
 */
const moveMsMaxDefault = 20 * second

/** Runs all work that is due at `now`, until `deadline`. Returns the count of each kind. */
export type RunDue = (now: Instant, deadline: AbortSignal) => Promise<Readonly<Record<string, number>>>

export interface Arrival {
  readonly now: Instant
  readonly ran: Readonly<Record<string, number>>
  /** True if work may be left, which then continues in the background. */
  readonly more: boolean
}

export interface TimeTravel {
  now(): Instant
  /** Refusals: see {@link readMove}. */
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
