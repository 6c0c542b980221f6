// Fairness: how many attempts each lane may have in flight, so that a dead or slow endpoint delays no other.
import { second } from '../../kernel/time.ts'
import type { Lane } from '../model.ts'

/** Attempts in flight in this process: sockets that wait, so many cost little. */
export const inFlightMax = 512
/** So that one merchant with many dead addresses leaves most slots to others. */
const inFlightPerWalletMax = 192
/** Every lane begins with so many at once, and grows by one with each quick answer. */
const laneLimitFirst = 8
const laneLimitMax = 128
/** An answer within this shows that the endpoint can take more at once. */
const quickMs = second / 4
/** An answer that took longer shows that it has too much already. */
const slowMs = 1 * second
/** A lane that held up this many attempts in a row is probed, one attempt at a time. */
const heldUpBeforeProbing = 3
/** An attempt without answer that failed sooner than this delayed no other. */
const heldUpAfterMs = 1 * second
/** Probes may take at most half of the slots, however many endpoints are dead at once. */
const probesInFlightMax = inFlightMax / 2
/** Lanes whose limits are remembered while nothing of theirs is in flight. */
const lanesRememberedMax = 10_000

/** A lane with deliveries that are due; `due` is how many, as far as was looked. */
export interface DueLane extends Lane {
  readonly due: number
}

export interface LaneQuota extends Lane {
  /** How many deliveries may be claimed, at least 1. */
  readonly quota: number
}

/**
 * What an attempt's end says about its endpoint. `received`: it could work with what was sent, also where it refused
 * it; `failed`: it answered that it is overloaded or broken; `unanswered`: it did not answer.
 */
export interface AttemptEnd {
  readonly outcome: 'received' | 'failed' | 'unanswered'
  readonly durationMs: number
}

/** Frees an attempt's slot; undefined: it was not made. */
export type EndAttempt = (end: AttemptEnd | undefined) => void

interface LaneLoad {
  /** Attempts in flight, and slots held for deliveries that are being written. */
  inFlight: number
  /** How many it may have. */
  limit: number
  heldUpInARow: number
  /** Whether its deliveries are queued, as far as is known: later ones are queued behind them. */
  queued: boolean
  /** Deliveries for the queue that are being written, and during which read of the queue the last one was. */
  arriving: number
  arrivedAt: number
}

/** Counts what is in flight in this process, and shares out what is free. */
export class LaneLoads {
  readonly #lanes = new Map<string, LaneLoad>()
  readonly #wallets = new Map<bigint, number>()
  #inFlight = 0
  #probes = 0
  #looks = 0

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Shares the free slots among lanes: one each in the order given, then a second each, and so on,
   * while the limits of lane, wallet and process last.
   */
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

  /** The queue is about to be read: what is written from now on may not be seen. */
  beginLook(): void {
    this.#looks += 1
  }

  /**
   * What the read of the queue found: `lanes` were all that had something due, and of each its quota was claimed. Lanes
   * with more than that, or with something written since the read began, hold no slots until their queue is empty.
   */
  observeQueue(lanes: readonly DueLane[], quotas: readonly LaneQuota[]): void {
    const claimed = new Map(quotas.map((share) => [keyOf(share), share.quota]))
    const queued = new Set(
      lanes.filter((lane) => lane.due > (claimed.get(keyOf(lane)) ?? 0)).map((lane) => keyOf(lane)),
    )
    for (const lane of lanes) if (queued.has(keyOf(lane))) this.#loadOf(lane)
    for (const [key, load] of this.#lanes) {
      load.queued = queued.has(key) || load.arriving > 0 || load.arrivedAt >= this.#looks
      this.#forgetIdle(key, load)
    }
  }

  /** A delivery is about to be written for the queue: later ones are queued behind it. Call the returned function when it is written. */
  arrive(lane: Lane): () => void {
    const load = this.#loadOf(lane)
    load.queued = true
    load.arriving += 1
    return () => {
      load.arriving -= 1
      load.arrivedAt = this.#looks
    }
  }

  /**
   * A slot for a delivery that is about to be written, where its lane has no queue and a slot is free; call the
   * returned function once, as that of {@link begin}. Without a slot the delivery is queued: see {@link arrive}.
   */
  hold(lane: Lane): EndAttempt | undefined {
    const load = this.#loadOf(lane)
    const free =
      !load.queued &&
      this.#inFlight < inFlightMax &&
      !this.#isProbed(lane) &&
      load.inFlight < load.limit &&
      this.#walletRoomOf(lane.walletId) > 0
    return free ? this.begin(lane) : undefined
  }

  /** Reserves the slots that were shared out: used one by one, the rest released. */
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

  /** An attempt of `lane` begins; call the returned function once with how it ended (undefined: it was not made). */
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

  /** Idle lanes without a limit of their own are forgotten; so are others once there are very many. */
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
    return (this.#isProbed(lane) ? 1 : limit) - inFlight
  }

  #walletRoomOf(walletId: bigint): number {
    return inFlightPerWalletMax - (this.#wallets.get(walletId) ?? 0)
  }
}

/**
 * Grows a lane's limit by one with every quick answer, and halves it when the endpoint is slow or fails. An endpoint
 * that is only slow keeps the slots that every lane begins with; one that fails gets one attempt at a time.
 */
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
