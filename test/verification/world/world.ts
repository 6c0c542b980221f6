// A random world: merchants, customers and their objects.
import type { Chance } from '../chance.ts'
import type { Json, Merchant, Witness } from './notes.ts'
import type { ReceiverPart } from './receiver.ts'
import type { Wire } from './wire.ts'

export interface Step {
  readonly verb: string
  readonly seed: number
  readonly of: number
}

export const kinds = [
  'checkout',
  'customer',
  'operation',
  'authorization',
  'reference',
  'card',
  'mandate',
  'subscription',
  'link',
  'order',
  'debit',
  'phone',
  'request',
  'refundPage',
  'endpoint',
] as const
export type Kind = (typeof kinds)[number]

export interface Thing {
  readonly id: string
  readonly merchant: Merchant
  readonly more: Json
}

export interface World {
  readonly wire: Wire
  readonly merchants: readonly Merchant[]
  readonly witness: Witness
  callbackUrl(merchant: Merchant, part?: ReceiverPart): string
  isOver(): boolean
  readonly things: Readonly<Record<Kind, Thing[]>>
  readonly consumers: Json[]
  readonly unknownAnswer: Set<() => Promise<void>>
}

export type Act = (world: World, step: Step, chance: Chance) => Promise<void>

/** Only the newest objects are used, because older ones are mostly final. */
const recentMax = 40

export function createWorld(parts: Omit<World, 'things' | 'consumers' | 'unknownAnswer'>): World {
  const things = Object.fromEntries(kinds.map((kind) => [kind, [] as Thing[]])) as Record<Kind, Thing[]>
  return { ...parts, things, consumers: [], unknownAnswer: new Set() }
}

export function earlier(world: World, kind: Kind, { of }: Step): Thing | undefined {
  const made = world.things[kind]
  return made[made.length - 1 - (of % Math.min(made.length, recentMax))]
}

export function remember(world: World, kind: Kind, thing: Thing): void {
  if (!world.things[kind].some(({ id }) => id === thing.id)) world.things[kind].push(thing)
}

export function someCents(chance: Chance): number {
  if (chance.happens(0.1)) return chance.pick([1, 2, 15, 16, 20, 30, 49, 50, 51, 70, 99, 100])
  return 1 + chance.below(chance.happens(0.8) ? 20_000 : 400_000)
}

export function written(cents: number, chance: Chance): number | string {
  return chance.happens(0.1) ? (cents / 100).toFixed(2) : cents / 100
}

export function someUuid(chance: Chance): string {
  const hex = Buffer.from(chance.bytes(16)).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

export function someMerchant({ merchants }: World, chance: Chance): Merchant {
  const [first] = merchants
  return first !== undefined && chance.happens(0.7) ? first : chance.pick(merchants)
}
