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
  it('gives a long queue no more than its lane may have', () => {
    expect(quotas(new LaneLoads().shareOut([lane(1, 100_000), lane(2, 1)]))).toEqual([8, 1])
  })

  it('counts what is in flight', () => {
    const loads = new LaneLoads()
    const ends = Array.from({ length: 8 }, () => loads.begin(lane(1, 0)))
    expect(loads.shareOut([lane(1, 5), lane(2, 5)])).toEqual([{ ...lane(2, 5), room: 5, quota: 5 }])
    ends[0]?.(answered)
    expect(quotas(loads.shareOut([lane(1, 5)]))).toEqual([1])
  })

  it('leaves most slots to other wallets, however many addresses one has', () => {
    const many = Array.from({ length: 1000 }, (_, index) => lane(1, 10, `https://${index}.example`))
    const shares = new LaneLoads().shareOut([...many, lane(2, 10)])
    expect(shares.filter(({ walletId }) => walletId === 1n).reduce((sum, { quota }) => sum + quota, 0)).toBe(
      192,
    )
    expect(shares.at(-1)).toMatchObject({ walletId: 2n, quota: 8 })
  })

  it('gives one slot to each before a second to any, and never more than there are', () => {
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

  it('does not probe a lane that fails at once, nor for an attempt that was not made', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 5, failedFast)).toBe(1)
    // One at a time, but not a probe: it grows again at once.
    expect(limitAfter(loads, 4, quick)).toBe(5)
    const notAttempted = new LaneLoads()
    for (let attempt = 0; attempt < 5; attempt++) notAttempted.begin(lane(1, 0))(undefined)
    expect(quotas(notAttempted.shareOut([lane(1, 50)]))).toEqual([8])
  })

  it('lets a lane grow with every quick answer, up to a bound', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 10, quick)).toBe(18)
    expect(limitAfter(loads, 500, quick)).toBe(128)
  })

  it('halves what an endpoint gets that grows slow, and leaves it what every lane begins with', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 92, quick)).toBe(100)
    expect(limitAfter(loads, 1, answered)).toBe(100)
    expect(limitAfter(loads, 1, slow)).toBe(50)
    expect(limitAfter(loads, 10, slow)).toBe(8)
  })

  it('halves what an endpoint gets that fails, down to one at a time', () => {
    const loads = new LaneLoads()
    expect(limitAfter(loads, 92, quick)).toBe(100)
    expect(limitAfter(loads, 2, broken)).toBe(25)
    expect(limitAfter(loads, 10, broken)).toBe(1)
  })

  it('keeps half of the slots for lanes that answer, however many are dead', () => {
    const loads = new LaneLoads()
    const dead = Array.from({ length: 1000 }, (_, index) => lane(index, 10))
    for (const each of dead) for (let attempt = 0; attempt < 3; attempt++) loads.begin(each)(heldUp)
    const probes = loads.shareOut(dead)
    expect(quotas(probes)).toEqual(Array.from({ length: inFlightMax / 2 }, () => 1))
    for (const probe of probes) loads.begin(probe)
    expect(loads.shareOut([...dead, lane(5000, 3)])).toMatchObject([{ walletId: 5000n, quota: 3 }])
  })
})

describe('holding a slot for what is about to be written', () => {
  it('takes no more than the lane may have in flight', () => {
    const loads = new LaneLoads()
    const held = Array.from({ length: 9 }, () => loads.hold(lane(1, 0)))
    expect(held.map((end) => end !== undefined)).toEqual([...Array.from({ length: 8 }, () => true), false])
    expect(loads.hold(lane(2, 0))).toBeDefined()
  })

  it('holds no slot for a delivery while its lane has a queue', () => {
    const loads = new LaneLoads()
    for (let slot = 0; slot < 9; slot++) loads.hold(lane(1, 0))?.(quick)
    const due = [lane(1, 20)]
    loads.observeQueue(due, [{ ...lane(1, 0), quota: 19 }])
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    loads.observeQueue(due, [{ ...lane(1, 0), quota: 20 }])
    expect(loads.hold(lane(1, 0))).toBeDefined()
  })

  it('waits behind what is written for the queue, until a read that began after that', () => {
    const loads = new LaneLoads()
    const look = () => {
      loads.beginLook()
      loads.observeQueue([], [])
      return loads.hold(lane(1, 0))
    }
    const arrived = loads.arrive(lane(1, 0))
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    expect(look()).toBeUndefined()
    loads.beginLook()
    arrived()
    loads.observeQueue([], [])
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    expect(look()).toBeDefined()
  })

  it('reserves the slots that were shared out, and releases those that were not used', () => {
    const loads = new LaneLoads()
    const slots = loads.take(loads.shareOut([lane(1, 100)]))
    expect(loads.hold(lane(1, 0))).toBeUndefined()
    slots.next(lane(1, 0))(answered)
    expect(loads.inFlight).toBe(7)
    slots.release()
    expect(loads.inFlight).toBe(0)
    expect(loads.hold(lane(1, 0))).toBeDefined()
  })

  it('holds none for a lane that is probed', () => {
    const loads = new LaneLoads()
    for (let attempt = 0; attempt < 3; attempt++) loads.begin(lane(1, 0))(heldUp)
    expect(loads.hold(lane(1, 0))).toBeUndefined()
  })
})
