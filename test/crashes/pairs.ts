// Pairs of deaths on each path. The first is one of `first`, the second is one of both lists.
import type { CrashPoint } from '../../src/kernel/crash-points.ts'
import type { PathName } from './paths/walk.ts'

interface Points {
  readonly first: readonly CrashPoint[]
  readonly again: readonly CrashPoint[]
}

const ofAnyRail = ['rail to be called, not called', 'rail call ended, nothing follows'] as const
const ofAnyAnswer = [
  'attempt opened, rail not asked',
  ...ofAnyRail,
  'rail answered, nothing written',
  'settled, answer not sent',
] as const
const uncommitted = 'transaction written, not committed'
const ofCards = [
  'customer data kept, nothing begun',
  uncommitted,
  'attempt begun, issuer not asked',
  'customer authenticated, approval not begun',
  ...ofAnyAnswer,
  'settled, its attempt still open',
] as const
const ofGivingUp = [
  'attempt given up, its operation not failed',
  'payment failed, its attempt still open',
  'given up and failed, rail not asked again',
] as const
const ofNewProcess = 'ledger account opened, nothing booked'

const points: Readonly<Record<PathName, Points>> = {
  'checkout by card with 3-D Secure': { first: ofCards, again: [...ofGivingUp, ofNewProcess] },
  'checkout whose first card is declined': {
    first: [...ofCards, 'payment failed, its attempt still open'],
    again: [ofNewProcess],
  },
  'card API payment': {
    first: ofAnyAnswer,
    again: ['made, answer not kept', 'given up and failed, rail not asked again', ofNewProcess],
  },
  'authorization, release and capture': {
    first: ofAnyAnswer,
    again: ['made, answer not kept', 'given up and failed, rail not asked again', ofNewProcess],
  },
  refund: {
    first: ofAnyAnswer,
    again: ['made, answer not kept', 'given up and failed, rail not asked again', ofNewProcess],
  },
  'payment by phone': {
    first: [uncommitted, ...ofAnyAnswer, 'settled, its attempt still open'],
    again: [ofNewProcess],
  },
  'payment refused on the phone': {
    first: [
      uncommitted,
      ...ofAnyAnswer,
      'payment failed, its allowance still reserved',
      'payment failed, its attempt still open',
    ],
    again: [],
  },
  'reference payment': { first: [...ofAnyRail, 'settled, answer not sent'], again: [ofNewProcess] },
  'charge of a subscription': {
    first: ['charge accepted, answer not sent', ...ofAnyAnswer],
    again: [uncommitted, ofNewProcess],
  },
  'payout with its bank file': {
    first: [
      uncommitted,
      ...ofAnyAnswer,
      'bank file gathered, not written',
      'bank file drafted, not named',
      'bank file named, not marked',
    ],
    again: ['made, answer not kept', ofNewProcess],
  },
  'end of a subscription by phone': {
    first: [
      'subscription ended, its mandate not',
      uncommitted,
      'mandate moved, callback not sent',
      ...ofAnyRail,
    ],
    again: [],
  },
}

export type Pair = readonly [path: PathName, first: CrashPoint, again: CrashPoint]

const all: readonly Pair[] = Object.entries(points).flatMap(([path, { first, again }]) =>
  first.flatMap((one) => [...first, ...again].map((other): Pair => [path as PathName, one, other])),
)

/** Every run includes these, because no other path reaches their points. */
const always: readonly Pair[] = [
  [
    'checkout by card with 3-D Secure',
    'customer data kept, nothing begun',
    'attempt begun, issuer not asked',
  ],
  [
    'checkout by card with 3-D Secure',
    'attempt opened, rail not asked',
    'attempt given up, its operation not failed',
  ],
  ['card API payment', 'rail to be called, not called', 'given up and failed, rail not asked again'],
  ['card API payment', 'rail call ended, nothing follows', 'ledger account opened, nothing booked'],
  [
    'payment refused on the phone',
    'payment failed, its allowance still reserved',
    'payment failed, its attempt still open',
  ],
  ['payout with its bank file', 'made, answer not kept', 'bank file gathered, not written'],
  ['end of a subscription by phone', 'subscription ended, its mandate not', 'rail to be called, not called'],
]

/** A run takes another part each time. This many runs take every pair. */
const partsOf = 32

export function pairsOf(asked: string): readonly Pair[] {
  if (asked === 'all') return all
  const part = Number(asked)
  if (!(part >= 1 && part <= partsOf)) throw new Error(`PAIRS is all, or a number from 1 to ${partsOf}`)
  const chosen = all.filter((_, index) => index % partsOf === part - 1)
  return [...always, ...chosen]
}

/** A run with {@link always} certainly reaches these crash points. */
export const reachedByPairs: ReadonlySet<CrashPoint> = new Set(
  always.flatMap(([, one, other]) => [one, other]),
)
