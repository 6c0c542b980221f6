// Fairness: how many attempts each lane may have in flight, so that a dead or slow endpoint delays no other.
import { second } from '../kernel/time.ts'
import type { Lane } from './model.ts'

/** Attempts in flight in this process: sockets that wait, so many cost little. */
export const inFlightMax = 256
const inFlightPerLaneMax = 8
/** So that one merchant with many dead addresses leaves most slots to others. */
const inFlightPerWalletMax = 32
/** A lane that held up this many attempts in a row is probed, one attempt at a time. */
const heldUpBeforeProbing = 3
/** An attempt without answer that failed sooner than this held nobody up. */
const heldUpAfterMs = 1 * second
/** Probes may take at most half of the slots, however many endpoints are dead at once. */
const probesInFlightMax = inFlightMax / 2

/** A lane with deliveries that are due; `due` is how many, as far as was looked. */
export interface DueLane extends Lane {
  readonly due: number
}

export interface LaneQuota extends Lane {
  /** How many deliveries may be claimed, at least 1. */
  readonly quota: number
}

/** What an attempt's end says about its endpoint. */
export interface AttemptEnd {
  readonly answered: boolean
  readonly durationMs: number
}

interface LaneLoad {
  inFlight: number
  heldUpInARow: number
}

/** Counts what is in flight in this process, and shares out what is free. */
export class LaneLoads {
  readonly #lanes = new Map<string, LaneLoad>()
  readonly #wallets = new Map<bigint, number>()
  #inFlight = 0
  #probes = 0

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

  /** An attempt of `lane` begins; call the answer once with how it ended (undefined: it was not made). */
  begin(lane: Lane): (end: AttemptEnd | undefined) => void {
    const load = this.#loadOf(lane)
    const probing = this.#isProbed(lane)
    load.inFlight += 1
    this.#inFlight += 1
    if (probing) this.#probes += 1
    this.#wallets.set(lane.walletId, (this.#wallets.get(lane.walletId) ?? 0) + 1)

    return (end) => {
      load.inFlight -= 1
      this.#inFlight -= 1
      if (probing) this.#probes -= 1
      if (end?.answered === true) load.heldUpInARow = 0
      else if (end !== undefined && end.durationMs >= heldUpAfterMs) load.heldUpInARow += 1
      if (load.inFlight === 0 && load.heldUpInARow === 0) this.#lanes.delete(keyOf(lane))
      const walletLoad = (this.#wallets.get(lane.walletId) ?? 1) - 1
      if (walletLoad === 0) this.#wallets.delete(lane.walletId)
      else this.#wallets.set(lane.walletId, walletLoad)
    }
  }

  #loadOf(lane: Lane): LaneLoad {
    const key = keyOf(lane)
    let load = this.#lanes.get(key)
    if (load === undefined) {
      load = { inFlight: 0, heldUpInARow: 0 }
      this.#lanes.set(key, load)
    }
    return load
  }

  #isProbed(lane: Lane): boolean {
    return (this.#lanes.get(keyOf(lane))?.heldUpInARow ?? 0) >= heldUpBeforeProbing
  }

  #roomOf(lane: Lane): number {
    const inFlight = this.#lanes.get(keyOf(lane))?.inFlight ?? 0
    return (this.#isProbed(lane) ? 1 : inFlightPerLaneMax) - inFlight
  }

  #walletRoomOf(walletId: bigint): number {
    return inFlightPerWalletMax - (this.#wallets.get(walletId) ?? 0)
  }
}

function keyOf({ walletId, lane }: Lane): string {
  return `${walletId} ${lane}`
}
