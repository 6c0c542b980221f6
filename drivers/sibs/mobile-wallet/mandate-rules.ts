// What SPG shows of a mandate, as the changes that led there: SPG keeps no history, so each look is compared with the last.
import type { Day } from '../../../src/kernel/lisbon.ts'
import type { NotedChange } from '../requests.ts'

/** What an inquiry shows; `unknown` where SPG knows no such mandate, as also of one that nobody answered. */
export interface SeenMandate {
  readonly status: string | 'unknown'
  readonly limit: bigint | undefined
  readonly expiryDate: Day | undefined
}

/** What is known besides. */
export interface MandateContext {
  /** Whether the customer's time to answer is over. */
  readonly isOver: boolean
  /** Whether a notification said that the customer refused. */
  readonly isRefused: boolean
}

export type MandateState = 'requested' | 'active' | 'suspended' | 'over'

interface Terms {
  readonly limit: string
  readonly expiryDate: Day
}

/** Where the changes so far have led. */
export function stateAfter(changes: readonly NotedChange[]): {
  readonly state: MandateState
  readonly terms: Terms | undefined
} {
  let state: MandateState = 'requested'
  let terms: Terms | undefined
  for (const change of changes) {
    if (change.kind === 'approved' || change.kind === 'updated') {
      terms = { limit: change.limit, expiryDate: change.expiryDate }
      if (change.kind === 'approved') state = 'active'
    } else state = stateBy[change.kind]
  }
  return { state, terms }
}

const stateBy = {
  refused: 'over',
  expired: 'over',
  cancelled: 'over',
  suspended: 'suspended',
  resumed: 'active',
} as const satisfies Record<string, MandateState>

/** The changes so far, with those that `seen` adds. What was done and undone between two looks is not seen. */
export function changesWith(
  changes: readonly NotedChange[],
  seen: SeenMandate,
  context: MandateContext,
): readonly NotedChange[] {
  const { state, terms } = stateAfter(changes)
  const all = [...changes]
  const add = (change: Unnumbered) => void all.push({ version: all.length + 1, ...change } as NotedChange)
  if (state === 'over') return changes
  const isLive = seen.status === 'ACTV' || seen.status === 'SSPN'
  if (!isLive) {
    const end = endOf(state, seen.status, context)
    if (end !== undefined) add({ kind: end })
    return all
  }
  if (seen.limit === undefined || seen.expiryDate === undefined) return changes
  const now: Terms = { limit: String(seen.limit), expiryDate: seen.expiryDate }
  if (state === 'requested') add({ kind: 'approved', ...now })
  else if (terms?.limit !== now.limit || terms.expiryDate !== now.expiryDate) add({ kind: 'updated', ...now })
  if (seen.status === 'SSPN' && state !== 'suspended') add({ kind: 'suspended' })
  if (seen.status === 'ACTV' && state === 'suspended') add({ kind: 'resumed' })
  return all
}

type Unnumbered = NotedChange extends infer Change
  ? Change extends unknown
    ? Omit<Change, 'version'>
    : never
  : never

/** Why one that is neither active nor suspended ended; undefined where nothing says that it did. */
function endOf(
  state: MandateState,
  status: string,
  { isOver, isRefused }: MandateContext,
): 'expired' | 'cancelled' | 'refused' | undefined {
  if (status === 'EXPR') return 'expired'
  if (state !== 'requested') return status === 'CNCL' ? 'cancelled' : undefined
  if (isRefused || (status === 'CNCL' && !isOver)) return 'refused'
  return isOver && (status === 'CNCL' || status === 'unknown') ? 'expired' : undefined
}
