// Fair slots among lanes.
import { describe, expect, it } from 'vitest'
import { type AttemptEnd, type DueLane, inFlightMax, LaneLoads } from './lanes.ts'

const lane = (walletId: number, due: number, name = 'wallet'): DueLane => ({
  walletId: BigInt(walletId),
  lane: name,
  due,
})
const quotas = (shares: readonly { quota: number }[]) => shares.map(({ quota }) => quota)
const heldUp = { outcome: 'unanswered', durationMs: 15_000 } as const
const failedFast = { outcome: 'unanswered', durationMs: 2 } as const
const answered = { outcome: 'received', durationMs: 500 } as const
const quick = { outcome: 'received', durationMs: 5 } as const
const slow = { outcome: 'received', durationMs: 5_000 } as const
const broken = { outcome: 'failed', durationMs: 5 } as const

/** The limit of a lane with a long queue after `count` attempts with this end. */
function limitAfter(loads: LaneLoads, count: number, end: AttemptEnd): number {
  for (let attempt = 0; attempt < count; attempt++) loads.begin(lane(1, 0))(end)
  return loads.shareOut([lane(1, 100_000)])[0]?.quota ?? 0
}

describe('sharing out slots', () => {
  it('limits a long queue to the limit of its lane', () => {
    expect(quotas(new LaneLoads().shareOut([lane(1, 100_000), lane(2, 1)]))).toEqual([8, 1])
  })

  it('counts what is in flight', () => {
    const loads = new LaneLoads()
    const ends = Array.from({ length: 8 }, () => loads.begin(lane(1, 0)))
    expect(loads.shareOut([lane(1, 5), lane(2, 5)])).toEqual([{ ...lane(2, 5), room: 5, quota: 5 }])
    ends[0]?.(answered)
    expect(quotas(loads.shareOut([lane(1, 5)]))).toEqual([1])
  })

  it('leaves most slots to other wallets, for any number of addresses', () => {
    const many = Array.from({ length: 1000 }, (_, index) => lane(1, 10, `https://${index}.example`))
    const shares = new LaneLoads().shareOut([...many, lane(2, 10)])
    expect(shares.filter(({ walletId }) => walletId === 1n).reduce((sum, { quota }) => sum + quota, 0)).toBe(
      192,
    )
    expect(shares.at(-1)).toMatchObject({ walletId: 2n, quota: 8 })
  })

  it.each([
    [1, 128, 192],
    [4, 32, 48],
    [100, 1, 1],
    [500, 1, 1],
  ])('with %i live processes: %i of an endpoint and %i of a wallet in each', (processes, oneLane, wallet) => {
    const loads = new LaneLoads({ count: processes })
    expect(limitAfter(loads, 200, quick)).toBe(oneLane)
    const many = Array.from({ length: 1000 }, (_, index) => lane(2, 10, `https://${index}.example`))
    expect(loads.shareOut(many).reduce((sum, { quota }) => sum + quota, 0)).toBe(wallet)
  })

  it('gives each lane one slot before a second one', () => {
    const shares = new LaneLoads().shareOut(Array.from({ length: 1000 }, (_, index) => lane(index, 10)))
    expect(quotas(shares)).toEqual(Array.from({ length: inFlightMax }, () => 1))
  })

  it('probes a lane that held up three attempts in a row, one at a time, until it answers', () => {
    const loads = new LaneLoads()
    for (let attempt = 0; attempt < 3; attempt++) loads.begin(lane(1, 0))(heldUp)
    expect(quotas(loads.shareOut([lane(1, 5)]))).toEqual([1])
    const probe = loads.begin(lane(1, 0))
    expect(loads.shareOut([lane(1, 5)])).toEqual([])
    probe(answered)
    expect(quotas(loads.shareOut([lane(1, 5)]))).toEqual([5])
  })

  it('does not probe after fast failures or cancelled attempts', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 5, failedFast)).toBe(1)
    // The lane sends one attempt at a time, but is not probed: a quick answer raises its limit at once.
    expect(limitAfter(loads, 4, quick)).toBe(5)
    const notAttempted = new LaneLoads()
    for (let attempt = 0; attempt < 5; attempt++) notAttempted.begin(lane(1, 0))(undefined)
    expect(quotas(notAttempted.shareOut([lane(1, 50)]))).toEqual([8])
  })

  it('raises the limit with every quick answer, up to a bound', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 10, quick)).toBe(18)
    expect(limitAfter(loads, 500, quick)).toBe(128)
  })

  it('halves the limit of a slow endpoint, down to the initial limit', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 92, quick)).toBe(100)
    expect(limitAfter(loads, 1, answered)).toBe(100)
    expect(limitAfter(loads, 1, slow)).toBe(50)
    expect(limitAfter(loads, 10, slow)).toBe(8)
  })

  it('halves the limit of a failing endpoint, down to one', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 92, quick)).toBe(100)
    expect(limitAfter(loads, 2, broken)).toBe(25)
    expect(limitAfter(loads, 10, broken)).toBe(1)
  })

  it('keeps half of the slots for working lanes', () => {
    const loads = new LaneLoads()
    const dead = Array.from({ length: 1000 }, (_, index) => lane(index, 10))
    for (const each of dead) for (let attempt = 0; attempt < 3; attempt++) loads.begin(each)(heldUp)
    const probes = loads.shareOut(dead)
    expect(quotas(probes)).toEqual(Array.from({ length: inFlightMax / 2 }, () => 1))
    for (const probe of probes) loads.begin(probe)
    expect(loads.shareOut([...dead, lane(5000, 3)])).toMatchObject([{ walletId: 5000n, quota: 3 }])
  })
})

describe('reserving a slot for a delivery about to be written', () => {
  it('respects the limit of the lane', () => {
    const loads = new LaneLoads()
    const held = Array.from({ length: 9 }, () => loads.hold(lane(1, 0)))
    expect(held.map((end) => end !== undefined)).toEqual([...Array.from({ length: 8 }, () => true), false])
    expect(loads.hold(lane(2, 0))).toBeDefined()
  })

  it('reserves no slot while the lane has a queue', () => {
    const loads = new LaneLoads()
    for (let slot = 0; slot < 9; slot++) loads.hold(lane(1, 0))?.(quick)
    const due = [lane(1, 20)]
    loads.observeQueue(due, [{ ...lane(1, 0), quota: 19 }])
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    loads.observeQueue(due, [{ ...lane(1, 0), quota: 20 }])
    expect(loads.hold(lane(1, 0))).toBeDefined()
  })

  it('waits behind queued deliveries until the next read', () => {
    const loads = new LaneLoads()
    const look = () => {
      loads.beginPoll()
      loads.observeQueue([], [])
      return loads.hold(lane(1, 0))
    }
    const arrived = loads.arrive(lane(1, 0))
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    expect(look()).toBeUndefined()
    loads.beginPoll()
    arrived()
    loads.observeQueue([], [])
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    expect(look()).toBeDefined()
  })

  it('reserves distributed slots and releases unused ones', () => {
    const loads = new LaneLoads()
    const slots = loads.take(loads.shareOut([lane(1, 100)]))
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    slots.next(lane(1, 0))(answered)
    expect(loads.inFlight).toBe(7)
    slots.release()
    expect(loads.inFlight).toBe(0)
    expect(loads.hold(lane(1, 0))).toBeDefined()
  })

  it('reserves none for a probed lane', () => {
    const loads = new LaneLoads()
    for (let attempt = 0; attempt < 3; attempt++) loads.begin(lane(1, 0))(heldUp)
    expect(loads.hold(lane(1, 0))).toBeUndefined()
  })
})
