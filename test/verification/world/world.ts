// A random world: merchants, customers and what they have made so far, as those who act in it see it.
import type { Chance } from '../chance.ts'
import type { Json, Merchant, Witness } from './notes.ts'
import type { Wire } from './wire.ts'

/** One thing that somebody does, as plain data. */
export interface Step {
  /** One of those that plan.ts lists. */
  readonly verb: string
  /** Of everything that is chosen in it. */
  readonly seed: number
  /** Which of the things made before it is about: counted from the newest, over and over. */
  readonly of: number
}

/** What was made, by kind; a step refers to one of them by a number. */
export const kinds = [
  'checkout',
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
] as const
export type Kind = (typeof kinds)[number]

/** Something that a merchant made: its id or token, and what else is needed to act on it. */
export interface Thing {
  readonly id: string
  readonly merchant: Merchant
  readonly more: Json
}

export interface World {
  readonly wire: Wire
  readonly merchants: readonly Merchant[]
  readonly witness: Witness
  /** The address of a merchant's receiver, for requests that name one. */
  callbackUrl(merchant: Merchant): string
  /** Whether those who wait for a clear answer should stop. */
  isOver(): boolean
  readonly things: Readonly<Record<Kind, Thing[]>>
  /** Consumers with a balance, as `{email, pin, bank_reference}`. */
  readonly consumers: Json[]
  /** Requests that had no clear answer when the world was over. */
  readonly unknownAnswer: Set<() => Promise<void>>
}

export type Act = (world: World, step: Step, chance: Chance) => Promise<void>

/** What a step may still refer to: older things are mostly at their end. */
const recentMax = 40

/** A world in which nothing was made yet. */
export function createWorld(parts: Omit<World, 'things' | 'consumers' | 'unknownAnswer'>): World {
  const things = Object.fromEntries(kinds.map((kind) => [kind, [] as Thing[]])) as Record<Kind, Thing[]>
  return { ...parts, things, consumers: [], unknownAnswer: new Set() }
}

/** Something of `kind` that was made before; undefined while there is none. */
export function earlier(world: World, kind: Kind, { of }: Step): Thing | undefined {
  const made = world.things[kind]
  return made[made.length - 1 - (of % Math.min(made.length, recentMax))]
}

/** Remembers what was made, once. */
export function remember(world: World, kind: Kind, thing: Thing): void {
  if (!world.things[kind].some(({ id }) => id === thing.id)) world.things[kind].push(thing)
}

/** An amount in cents: often small, now and then on an edge. */
export function someCents(chance: Chance): number {
  if (chance.happens(0.1)) return chance.pick([1, 2, 15, 16, 20, 30, 49, 50, 51, 70, 99, 100])
  return 1 + chance.below(chance.happens(0.8) ? 20_000 : 400_000)
}

/** Cents as the API writes them, now and then as a text. */
export function written(cents: number, chance: Chance): number | string {
  return chance.happens(0.1) ? (cents / 100).toFixed(2) : cents / 100
}

/** A UUID of this chance. */
export function someUuid(chance: Chance): string {
  const hex = Buffer.from(chance.bytes(16)).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** The first merchant, who may do everything, or another one. */
export function someMerchant({ merchants }: World, chance: Chance): Merchant {
  const [first] = merchants
  return first !== undefined && chance.happens(0.7) ? first : chance.pick(merchants)
}
