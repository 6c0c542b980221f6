// A queue of deliveries in the database, as the worker uses it.
import type { Instant } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import type { ClaimedDelivery, FinishedDelivery } from '../model.ts'
import type { DueLane, LaneQuota } from './lanes.ts'

export interface DeliveryQueue {
  readonly kind: Database['kind']
  /** The lanes of the oldest due deliveries, at most `window` of them. */
  headLanes(now: Instant, window: number): Promise<DueLane[]>
  /** All lanes, the longest waiting first, with at most `duePerLaneMax` due deliveries each. */
  dueLanes(now: Instant, duePerLaneMax: number): Promise<DueLane[]>
  claim(
    quotas: readonly LaneQuota[],
    now: Instant,
    claimId: string,
    leaseMs: number,
  ): Promise<ClaimedDelivery[]>
  /** Writes outcomes and attempts. False for a delivery whose claim was lost. */
  finish(finished: readonly FinishedDelivery[]): Promise<boolean[]>
  releaseExpired(): Promise<void>
  releaseAllClaims(): Promise<void>
}
