// Compares what a program believes with the books, and grades it.
import { decimalText } from '../../src/kernel/money.ts'
import type { Forgery } from './forgeries.ts'
import type { Treatment } from './plan.ts'
import type { Belief, Beliefs } from './state.ts'

export interface Booked extends Belief {
  readonly story: string
  /** The program must know it. */
  readonly isRequired: boolean
  /** Undefined: the program cannot know of its refunds, because they sent no callback. */
  readonly knowsRefunds: boolean
  /** The callbacks about it, and the way of each. */
  readonly sent: readonly { readonly name: string; readonly how: Treatment }[]
}

/** By operation id. */
export type Books = ReadonlyMap<string, Booked>

export interface Answered {
  readonly name: string
  readonly id: string
  /** The last status, or the error if there was no answer. */
  readonly answer: number | string
}

export interface Findings {
  readonly books: Books
  /** Undefined: the program has no state that can be read. */
  readonly beliefs: Beliefs | undefined
  /** Genuine callbacks that the program never answered with 2xx. */
  readonly refused: readonly Answered[]
  /** Forgeries that changed its state at once. Without a state, those that it answered with 2xx. */
  readonly believed: ReadonlySet<Forgery>
  readonly forgeries: readonly Forgery[]
}

/** `F`: believes a forgery. `D`: differs from the books. `C`: other faults. */
type Weight = 'C' | 'D' | 'F'

export interface Mistake {
  readonly weight: Weight
  readonly kind: 'forged' | 'missing' | 'status' | 'amount' | 'refunded' | 'refused' | 'replayed'
  readonly about: string
  readonly books: string
  readonly program: string
  readonly reason: string
  readonly remedy: string
  readonly guide: string
}

export type Grade = 'A' | 'B' | Weight

const rules = 'docs/callbacks.md#rules-for-your-program'
const lostGuide = 'docs/callbacks-in-production.md#read-the-events-that-you-missed'
const signatureGuide = 'docs/callbacks.md#the-signature'
const readOperation = 'If you are in doubt, read GET /api/v2/operations/<id>.'

export function mistakesOf(findings: Findings): Mistake[] {
  return [...forged(findings), ...wrong(findings), ...refusals(findings)]
}

/** `A` and `B` have no mistake; `B` if a part could not be examined. */
export function gradeOf(mistakes: readonly Mistake[], notExamined: readonly string[]): Grade {
  const weights: readonly Weight[] = ['F', 'D', 'C']
  const worst = weights.find((weight) => mistakes.some((mistake) => mistake.weight === weight))
  return worst ?? (notExamined.length > 0 ? 'B' : 'A')
}

function forged({ books, beliefs, believed, forgeries }: Findings): Mistake[] {
  return forgeries.flatMap((forgery) => {
    const { operation, summary, remedy, isOld = false } = forgery
    const booked = books.get(operation)
    const isLasting = !isOld && beliefs !== undefined && forgery.shows(booked, beliefs.get(operation))
    if (!isLasting && !believed.has(forgery)) return []
    return {
      weight: isOld ? 'C' : 'F',
      kind: isOld ? 'replayed' : 'forged',
      about: operation,
      books: shown(booked),
      program: isLasting ? shown(beliefs.get(operation)) : 'believed it',
      reason: `It believed ${summary}.`,
      remedy,
      guide: signatureGuide,
    }
  })
}

function wrong(findings: Findings): Mistake[] {
  const { books, beliefs } = findings
  if (beliefs === undefined) return []
  const explained = new Set(
    forged(findings)
      .filter(({ kind }) => kind === 'forged')
      .map(({ about }) => about),
  )
  return [...books].flatMap(([id, booked]) => {
    if (explained.has(id)) return []
    const believed = beliefs.get(id)
    const difference = believed === undefined ? missing(booked) : differing(booked, believed)
    if (difference === undefined) return []
    return {
      weight: 'D' as const,
      about: id,
      books: shown(booked),
      program: shown(believed),
      ...difference,
      reason: `${difference.reason} Its callbacks: ${historyOf(booked)}.`,
    }
  })
}

type Difference = Pick<Mistake, 'kind' | 'reason' | 'remedy' | 'guide'>

function missing(booked: Booked): Difference | undefined {
  if (!booked.isRequired) return undefined
  const remedy = booked.sent.some(({ how }) => how === 'lost')
    ? 'Read GET /api/v2/events?after=<next> at each start and from time to time.'
    : 'Store a payment at the first callback that names it, whichever callback that is.'
  return { kind: 'missing', reason: 'It does not know this payment.', remedy, guide: lostGuide }
}

function differing(booked: Booked, believed: Belief): Difference | undefined {
  const hasLost = booked.sent.some(({ how }) => how === 'lost')
  const lost = hasLost ? ' Read GET /api/v2/events?after=<next> for lost callbacks.' : ''
  if (believed.status !== booked.status)
    return {
      kind: 'status',
      reason: 'Its status is wrong.',
      remedy: `Take the status from callbacks with type PAYMENT only. COMPLETED, FAIL and VOIDED are final: ignore PENDING after them. ${readOperation}${lost}`,
      guide: rules,
    }
  if (believed.amount !== booked.amount)
    return {
      kind: 'amount',
      reason: 'Its amount is wrong.',
      remedy: `Take the amount from callbacks with type PAYMENT only, and count in cents. ${readOperation}`,
      guide: rules,
    }
  if (!booked.knowsRefunds || believed.refunded === booked.refunded) return undefined
  const isTooMuch = believed.refunded > booked.refunded
  return {
    kind: 'refunded',
    reason: isTooMuch ? 'It counts more refunds than there are.' : 'A refund is missing.',
    remedy: isTooMuch
      ? 'Count each refund once: store its operation_id, and ignore a callback with an id that you have stored.'
      : `A refund is an operation with type REFUND: add its amount to parent_operation_id, also if its callback comes before that of the payment.${lost}`,
    guide: rules,
  }
}

function refusals({ refused }: Findings): Mistake[] {
  return refused.map(({ id, name, answer }) => ({
    weight: 'C',
    kind: 'refused',
    about: id,
    books: '2xx',
    program: String(answer),
    reason: `It never answered ${name} with 2xx, so the gateway sends it for two days.`,
    remedy:
      'Answer 2xx to every callback with a right signature, also to a repeated one and to a kind that you do not use.',
    guide: rules,
  }))
}

const words: Readonly<Record<Treatment, string>> = {
  twice: 'twice',
  at_once: 'two at the same moment',
  cut: 'cut off, then again',
  late: 'after all others',
  lost: 'lost',
}

function historyOf({ sent }: Booked): string {
  return sent.map(({ name, how }) => `${name} ${words[how]}`).join(', ')
}

function shown(belief: Belief | undefined): string {
  if (belief === undefined) return 'unknown'
  const refunded = belief.refunded === 0n ? '' : `, ${decimalText(belief.refunded)} refunded`
  return `${belief.status} ${decimalText(belief.amount)}${refunded}`
}
