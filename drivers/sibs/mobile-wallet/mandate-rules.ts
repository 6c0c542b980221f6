// Changes of a mandate, found by comparing two inquiries, because SIBS keeps no history.
import type { Day } from '../../../src/kernel/lisbon.ts'
import type { NotedChange } from '../requests.ts'

/** `unknown`: SPG does not know the mandate, or did not answer. */
export interface SeenMandate {
  readonly status: string | 'unknown'
  readonly limit: bigint | undefined
  readonly expiryDate: Day | undefined
}

export interface MandateContext {
  readonly isOver: boolean
  readonly isRefused: boolean
}

export type MandateState = 'requested' | 'active' | 'suspended' | 'over'

interface Terms {
  readonly limit: string
  readonly expiryDate: Day
}

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

/** The changes so far and those that `seen` adds. A change that is undone between two inquiries is not noticed. */
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
