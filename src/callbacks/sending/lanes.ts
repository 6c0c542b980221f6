// Fair slots among lanes, so that a dead or slow endpoint delays no other.
import { second } from '../../kernel/time.ts'
import type { Lane } from '../model.ts'

/** Many attempts can run, because each mostly waits for a socket. */
export const inFlightMax = 512
/** One merchant with many dead addresses must leave slots to others. It counts for all processes together. */
const inFlightPerWalletMax = 192
/** The first limit of a lane. Each quick answer raises it by one. */
const laneLimitFirst = 8
/** The highest limit of a lane in all processes together, which protects its endpoint. */
const laneLimitMax = 128
/** Attempts at once, of all processes together. */
export interface LaneLimits {
  readonly perLane: number
  readonly perWallet: number
}
const limitsDefault: LaneLimits = { perLane: laneLimitMax, perWallet: inFlightPerWalletMax }
const quickMs = second / 4
const slowMs = 1 * second
/** After this many unanswered attempts in a row, the lane gets one attempt at a time. */
const heldUpBeforeProbing = 3
/** An attempt that failed sooner has not held up its slot. */
const heldUpAfterMs = 1 * second
/** Attempts at dead endpoints (probes) may use half of the slots. */
const probesInFlightMax = inFlightMax / 2
const lanesRememberedMax = 10_000

export interface DueLane extends Lane {
  readonly due: number
}

export interface LaneQuota extends Lane {
  readonly quota: number
}

/** `received`: the receiver processed or refused it. `failed`: overloaded or broken. `unanswered`: silent. */
export interface AttemptEnd {
  readonly outcome: 'received' | 'failed' | 'unanswered'
  readonly durationMs: number
}

/** Frees a slot. Call it with undefined if no attempt was made. */
export type EndAttempt = (end: AttemptEnd | undefined) => void

interface LaneLoad {
  inFlight: number
  limit: number
  heldUpInARow: number
  queued: boolean
  /** Queued deliveries that are being written, and the last poll that may have missed one of them. */
  arriving: number
  arrivedAt: number
}

export class LaneLoads {
  readonly #lanes = new Map<string, LaneLoad>()
  readonly #wallets = new Map<bigint, number>()
  #inFlight = 0
  #probes = 0
  #polls = 0
  readonly #processes: { readonly count: number }
  readonly #limits: LaneLimits

  /** @param processes live processes that send callbacks */
  constructor(processes: { readonly count: number } = { count: 1 }, limits: LaneLimits = limitsDefault) {
    this.#processes = processes
    this.#limits = limits
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Gives free slots to lanes in turn, in the given order, within the limits of lane, wallet and process. */
  shareOut(lanes: readonly DueLane[]): LaneQuota[] {
    const shares = lanes.map((lane) => ({ ...lane, quota: 0, room: Math.min(lane.due, this.#roomOf(lane)) }))
    const walletRooms = new Map<bigint, number>()
    let free = inFlightMax - this.#inFlight
    let probes = probesInFlightMax - this.#probes
    let open = shares
    while (open.length > 0 && free > 0) {
      const still: typeof shares = []
      for (const share of open) {
        const walletRoom = walletRooms.get(share.walletId) ?? this.#walletRoomOf(share.walletId)
        const probing = this.#isProbed(share)
        if (share.quota >= share.room || walletRoom <= 0 || free <= 0 || (probing && probes <= 0)) continue
        share.quota += 1
        free -= 1
        if (probing) probes -= 1
        walletRooms.set(share.walletId, walletRoom - 1)
        still.push(share)
      }
      open = still
    }
    return shares.filter(({ quota }) => quota > 0)
  }

  /** Call it before the queue is read: that read may miss later writes. */
  beginPoll(): void {
    this.#polls += 1
  }

  /** A lane with a queue, or with deliveries written since the read, gets no reserved slots. */
  observeQueue(lanes: readonly DueLane[], quotas: readonly LaneQuota[]): void {
    const claimed = new Map(quotas.map((share) => [keyOf(share), share.quota]))
    const queued = new Set(
      lanes.filter((lane) => lane.due > (claimed.get(keyOf(lane)) ?? 0)).map((lane) => keyOf(lane)),
    )
    for (const lane of lanes) if (queued.has(keyOf(lane))) this.#loadOf(lane)
    for (const [key, load] of this.#lanes) {
      load.queued = queued.has(key) || load.arriving > 0 || load.arrivedAt >= this.#polls
      this.#forgetIdle(key, load)
    }
  }

  /** Announces a queued delivery; call the result once it is written. */
  arrive(lane: Lane): () => void {
    const load = this.#loadOf(lane)
    load.queued = true
    load.arriving += 1
    return () => {
      load.arriving -= 1
      load.arrivedAt = this.#polls
    }
  }

  /** Reserves a slot for a delivery that will be written. Undefined if the lane has a queue or no slot. */
  hold(lane: Lane): EndAttempt | undefined {
    const load = this.#loadOf(lane)
    const free =
      !load.queued &&
      this.#inFlight < inFlightMax &&
      !this.#isProbed(lane) &&
      load.inFlight < this.#shareOf(load.limit) &&
      this.#walletRoomOf(lane.walletId) > 0
    return free ? this.begin(lane) : undefined
  }

  take(quotas: readonly LaneQuota[]) {
    const slots = new Map(
      quotas.map((lane) => [keyOf(lane), Array.from({ length: lane.quota }, () => this.begin(lane))]),
    )
    return {
      next: (lane: Lane) => slots.get(keyOf(lane))?.pop() ?? this.begin(lane),
      release() {
        for (const end of [...slots.values()].flat()) end(undefined)
        slots.clear()
      },
    }
  }

  begin(lane: Lane): EndAttempt {
    const load = this.#loadOf(lane)
    const probing = this.#isProbed(lane)
    load.inFlight += 1
    this.#inFlight += 1
    if (probing) this.#probes += 1
    this.#wallets.set(lane.walletId, (this.#wallets.get(lane.walletId) ?? 0) + 1)

    return (end) => {
      if (end !== undefined) adapt(load, end)
      load.inFlight -= 1
      this.#inFlight -= 1
      if (probing) this.#probes -= 1
      const walletLoad = (this.#wallets.get(lane.walletId) ?? 1) - 1
      if (walletLoad === 0) this.#wallets.delete(lane.walletId)
      else this.#wallets.set(lane.walletId, walletLoad)
      this.#forgetIdle(keyOf(lane), load)
    }
  }

  #forgetIdle(key: string, load: LaneLoad): void {
    if (load.inFlight > 0 || load.queued || load.arriving > 0) return
    const plain = load.heldUpInARow === 0 && load.limit === laneLimitFirst
    if (plain || this.#lanes.size > lanesRememberedMax) this.#lanes.delete(key)
  }

  #loadOf(lane: Lane): LaneLoad {
    const key = keyOf(lane)
    let load = this.#lanes.get(key)
    if (load === undefined) {
      load = {
        inFlight: 0,
        limit: laneLimitFirst,
        heldUpInARow: 0,
        queued: false,
        arriving: 0,
        arrivedAt: -1,
      }
      this.#lanes.set(key, load)
    }
    return load
  }

  #isProbed(lane: Lane): boolean {
    return (this.#lanes.get(keyOf(lane))?.heldUpInARow ?? 0) >= heldUpBeforeProbing
  }

  #roomOf(lane: Lane): number {
    const { inFlight, limit } = this.#lanes.get(keyOf(lane)) ?? { inFlight: 0, limit: laneLimitFirst }
    return (this.#isProbed(lane) ? 1 : this.#shareOf(limit)) - inFlight
  }

  #walletRoomOf(walletId: bigint): number {
    return this.#partOf(this.#limits.perWallet) - (this.#wallets.get(walletId) ?? 0)
  }

  #shareOf(limit: number): number {
    return Math.min(limit, this.#partOf(this.#limits.perLane))
  }

  #partOf(limit: number): number {
    return Math.max(1, Math.floor(limit / this.#processes.count))
  }
}

/** A quick answer adds one, a slow or failed one halves the limit. Slow endpoints keep the first limit. */
function adapt(load: LaneLoad, { outcome, durationMs }: AttemptEnd): void {
  const wasProbed = load.heldUpInARow >= heldUpBeforeProbing
  if (outcome !== 'unanswered') load.heldUpInARow = 0
  else if (durationMs >= heldUpAfterMs) load.heldUpInARow += 1
  const half = Math.floor(load.limit / 2)
  if (outcome !== 'received') load.limit = Math.max(1, half)
  else if (wasProbed) load.limit = laneLimitFirst
  else if (durationMs < quickMs) load.limit = Math.min(laneLimitMax, load.limit + 1)
  else if (durationMs >= slowMs) load.limit = Math.max(Math.min(load.limit, laneLimitFirst), half)
}

function keyOf({ walletId, lane }: Lane): string {
  return `${walletId} ${lane}`
}
