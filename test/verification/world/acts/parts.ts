// Parts of requests: marks, shares, notes.
import type { Chance } from '../../chance.ts'
import type { Json, Merchant } from '../notes.ts'
import type { Step, World } from '../world.ts'

export function markerOf({ seed, of }: Step, word: string): string {
  return `${word.slice(0, 8)}-${seed.toString(36)}-${(of % 1_000_000).toString(36)}`
}

export function shares(world: World, owner: Merchant, cents: number, chance: Chance): Json[] {
  const others = world.merchants.filter(({ roles }) => roles.includes('sub_merchant'))
  const count = 1 + chance.below(others.length)
  return others.slice(0, count).map((merchant) => {
    const kind = chance.below(12)
    const fee = chance.happens(0.3) ? { fee_variable: chance.below(3_000) / 10_000 } : {}
    const fixed = chance.happens(0.2) ? { fee_fixed: chance.below(20) / 100 } : {}
    const wallet = { merchant_wallet: kind === 0 ? owner.public_id : merchant.public_id, ...fee, ...fixed }
    if (kind < 5)
      return { ...wallet, amount: Math.max(1, Math.floor(cents / (count + chance.below(4)))) / 100 }
    if (kind < 9) return { ...wallet, amount_fraction: chance.pick(['1/3', '0.25', '2/7', '0.1', '1/2']) }
    return wallet
  })
}
