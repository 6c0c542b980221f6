// The order in which an examination delivers callbacks, drawn from a seed.
import { derivedId } from '../../src/kernel/random.ts'

/** The way of a callback: `late` is once, after all others, and `lost` is never. Nothing else comes only once. */
export type Treatment = 'twice' | 'at_once' | 'cut' | 'late' | 'lost'

/** Each callback that is neither late nor lost gets the next of these. */
const turns: readonly Treatment[] = ['twice', 'at_once', 'cut']
/** Of the callbacks that may be lost, every fourth is. */
const lostShare = 1 / 4

export const start = 'start'

interface Plannable {
  /** The same in every run, such as `refunded/refund.completed/2`. */
  readonly key: string
  readonly name: string
  /** The id of the payment that the callback is about. */
  readonly payment: string
  /** The program must know the payment. */
  readonly isRequired: boolean
}

interface Insertion {
  readonly key: string
  /** It comes directly before the first delivery of the callback with this key, or before all. */
  readonly before?: string | typeof start
}

export interface Delivery<Event> {
  readonly event: Event
  readonly how: Treatment
  /** The callback was sent before. */
  readonly isAgain?: true
}

export type Step<Event, Forged> = Delivery<Event> | { readonly forged: Forged }

/**
 * Draws the way of each callback. The same seed and keys give the same plan.
 * @param events in the order in which they happened
 * @param losesSome whether some callbacks are lost, because the program can read them later
 */
export function treatmentsOf<Event extends Plannable>(
  events: readonly Event[],
  seed: string,
  losesSome: boolean,
): Map<Event, Treatment> {
  // Payments of other programs come last, so that each fault meets a payment of this one.
  const requiredFirst = (some: readonly Event[]) =>
    drawn(some, seed).toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
  const late = requiredFirst(firstsOf(events)).filter((event, _, all) => {
    const alike = all.filter(({ name }) => name === event.name)
    return alike.indexOf(event) < Math.ceil(alike.length / 2)
  })
  // The program can show that it copes with a wrong order only if no callback of the payment is lost.
  const isWhole = ({ payment }: Event) => late.some((event) => event.payment === payment)
  const losable = losesSome ? requiredFirst(events.filter((event) => !isWhole(event))) : []
  const lost = losable.slice(0, Math.ceil(losable.length * lostShare))
  const others = requiredFirst(events.filter((event) => !late.includes(event) && !lost.includes(event)))
  return new Map<Event, Treatment>([
    ...late.map((event) => [event, 'late'] as const),
    ...lost.map((event) => [event, 'lost'] as const),
    ...others.map((event, index) => [event, turns[index % turns.length] ?? 'twice'] as const),
  ])
}

/** The first callback of each payment that has several. */
function firstsOf<Event extends Plannable>(events: readonly Event[]): Event[] {
  return events.filter((event) => {
    const [first, ...later] = events.filter(({ payment }) => payment === event.payment)
    return event === first && later.length > 0
  })
}

/** Draws the order of all deliveries, with the forgeries between them. */
export function planOf<Event extends Plannable, Forged extends Insertion>(
  chosen: ReadonlyMap<Event, Treatment>,
  forged: readonly Forged[],
  seed: string,
): readonly Step<Event, Forged>[] {
  const deliveries = [...chosen].flatMap(([event, how]) => {
    const first = { key: event.key, step: { event, how } }
    if (how !== 'twice' && how !== 'cut') return [first]
    return [first, { key: `${event.key} again`, step: { event, how, isAgain: true } }] as const
  })
  const free = forged.filter(({ before }) => before === undefined)
  const main = [
    ...deliveries.filter(({ step: { how } }) => how !== 'late' && how !== 'lost'),
    ...free.map((one) => ({ key: one.key, step: { forged: one } })),
  ]
  const late = deliveries.filter(({ step }) => step.how === 'late')
  const steps: Step<Event, Forged>[] = [...drawn(main, seed), ...drawn(late, seed)].map(({ step }) => step)
  for (const one of forged) {
    if (one.before === undefined || one.before === start) continue
    const at = steps.findIndex((step) => 'event' in step && step.event.key === one.before)
    steps.splice(Math.max(at, 0), 0, { forged: one })
  }
  const first = forged.filter(({ before }) => before === start).map((one) => ({ forged: one }))
  return [...first, ...steps]
}

/** Shuffles by a hash of seed and key. */
function drawn<Item extends { readonly key: string }>(items: readonly Item[], seed: string): Item[] {
  const place = ({ key }: Item) => derivedId(seed, key)
  return items.toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
}
