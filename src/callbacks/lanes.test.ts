// How slots are shared out among lanes.
import { describe, expect, it } from 'vitest'
import { type DueLane, inFlightMax, LaneLoads } from './lanes.ts'

const lane = (walletId: number, due: number, name = 'wallet'): DueLane => ({
  walletId: BigInt(walletId),
  lane: name,
  due,
})
const quotas = (shares: readonly { quota: number }[]) => shares.map(({ quota }) => quota)
const heldUp = { answered: false, durationMs: 15_000 }
const failedFast = { answered: false, durationMs: 2 }
const answered = { answered: true, durationMs: 15_000 }

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
      32,
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
    for (let attempt = 0; attempt < 5; attempt++) loads.begin(lane(1, 0))(failedFast)
    for (let attempt = 0; attempt < 5; attempt++) loads.begin(lane(1, 0))(undefined)
    expect(quotas(loads.shareOut([lane(1, 5)]))).toEqual([5])
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
