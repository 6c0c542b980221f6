// Time that passes only when nothing is left to do: a queue of what is due, in an order that chance decides.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Chance } from '../../chance.ts'

/** Something that ends and takes what it had planned with it: a process. */
export interface Owner {
  readonly ended: boolean
  /** Nothing that it planned comes before this moment, in milliseconds since the seed began. */
  readonly sleepsUntil?: number
}

export interface Task {
  readonly owner: Owner | undefined
  cancelled: boolean
}

interface Planned extends Task {
  at: number
  /** Among tasks of the same moment, the lowest comes first. */
  readonly rank: number
  readonly run: () => void
}

/** On whose behalf the code that is running runs; undefined: on that of the world around the processes. */
export const owners = new AsyncLocalStorage<Owner | undefined>()

/** The machine's own, from before anything was replaced. */
const keepContext = AsyncLocalStorage.snapshot.bind(AsyncLocalStorage)
const turnOfTheLoop = setImmediate
const timerOfTheMachine = setTimeout

/** In real time. */
export const pauseOfTheMachine = (milliseconds: number) =>
  new Promise<void>((resolve) => timerOfTheMachine(resolve, milliseconds))

/** Waits for nothing but what runs already: every callback and every promise that can settle by itself. */
const endOfTurn = () => new Promise<void>((resolve) => turnOfTheLoop(resolve))

/**
 * A clock that stands still while code runs, and goes to the next moment for which something is planned once nothing
 * can go on by itself. Milliseconds throughout.
 */
export class VirtualTime {
  /** Decides the order of what is due at the same moment. */
  chance: Chance
  /** How long a seed has run. */
  elapsed = 0
  /** How many tasks have run. */
  steps = 0
  /** Hands on what another program, such as a database server, has answered; false when there is nothing to hand on. */
  handOn: (() => Promise<boolean>) | undefined
  #start: number
  readonly #heap: Planned[] = []

  constructor(start: number, chance: Chance) {
    this.#start = start
    this.chance = chance
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#start + this.elapsed
  }

  /** Forgets everything that is planned, and begins again at `start`. */
  reset(start: number, chance: Chance): void {
    this.#heap.length = 0
    this.#start = start
    this.elapsed = 0
    this.steps = 0
    this.chance = chance
  }

  /** Plans `run` in so many milliseconds, for whoever runs now. What is planned by a process that has ended never comes. */
  plan(run: () => void, afterMs: number): Task {
    const owner = owners.getStore()
    const inContext = keepContext()
    const delay = Number.isFinite(afterMs) ? Math.max(0, afterMs) : 0
    const cancelled = owner?.ended === true
    const planned: Planned = {
      owner,
      cancelled,
      at: this.elapsed + delay,
      // What the dead still plan is no part of a seed's chance.
      rank: cancelled ? 0 : this.chance.below(2 ** 32),
      run: () => inContext(run),
    }
    if (!planned.cancelled) this.#push(planned)
    return planned
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.plan(resolve, milliseconds))
  }

  /**
   * Has everything happen that must, until `work` has settled. Throws when nothing is left that could settle it, unless
   * it also waits for what is `beyond` the simulation, such as the machine's disk.
   */
  async until<T>(work: Promise<T>, beyond = false): Promise<T> {
    let settled = false
    const end = () => {
      settled = true
    }
    work.then(end, end)
    for (;;) {
      await quiet()
      if (this.handOn !== undefined && (await this.handOn())) continue
      if (settled) return work
      if (!this.#next() && !beyond) throw new Error('nothing is left to happen, and the work has not ended')
    }
  }

  /** Runs the next task; false when there is none. */
  #next(): boolean {
    for (;;) {
      const task = this.#pop()
      if (task === undefined) return false
      if (task.cancelled || task.owner?.ended === true) continue
      const awake = task.owner?.sleepsUntil ?? 0
      if (awake > Math.max(this.elapsed, task.at)) {
        task.at = awake
        this.#push(task)
        continue
      }
      this.elapsed = Math.max(this.elapsed, task.at)
      this.steps += 1
      task.run()
      return true
    }
  }

  #push(task: Planned): void {
    const heap = this.#heap
    let at = heap.push(task) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(task, heap[parent] as Planned)) break
      heap[at] = heap[parent] as Planned
      at = parent
    }
    heap[at] = task
  }

  #pop(): Planned | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Planned, heap[child] as Planned)) child += 1
      if (!isBefore(heap[child] as Planned, last)) break
      heap[at] = heap[child] as Planned
      at = child
    }
    heap[at] = last
    return first
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.at < other.at || (one.at === other.at && one.rank < other.rank)
}

/** Files are read and written by other threads; everything else answers in this one. */
async function quiet(): Promise<void> {
  await endOfTurn()
  while (process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'))) await endOfTurn()
}
