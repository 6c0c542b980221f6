// Virtual time: a queue of planned tasks. Tasks at the same moment run in random order.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Chance } from '../../chance.ts'

export interface Owner {
  readonly ended: boolean
  readonly sleepsUntil?: number
}

export interface Task {
  readonly owner: Owner | undefined
  cancelled: boolean
}

interface Planned extends Task {
  at: number
  readonly rank: number
  readonly run: () => void
}

export const owners = new AsyncLocalStorage<Owner | undefined>()

const keepContext = AsyncLocalStorage.snapshot.bind(AsyncLocalStorage)
const turnOfTheLoop = setImmediate
const timerOfTheMachine = setTimeout

export const pauseOfTheMachine = (milliseconds: number) =>
  new Promise<void>((resolve) => timerOfTheMachine(resolve, milliseconds))

/** Waits until no callback or promise can continue without time. */
const endOfTurn = () => new Promise<void>((resolve) => turnOfTheLoop(resolve))

/** A clock in milliseconds. It stops while code runs, and then moves to the next planned moment. */
export class VirtualTime {
  chance: Chance
  elapsed = 0
  steps = 0
  handOn: (() => Promise<boolean>) | undefined
  #start: number
  readonly #heap: Planned[] = []

  constructor(start: number, chance: Chance) {
    this.#start = start
    this.chance = chance
  }

  get now(): number {
    return this.#start + this.elapsed
  }

  reset(start: number, chance: Chance): void {
    this.#heap.length = 0
    this.#start = start
    this.elapsed = 0
    this.steps = 0
    this.chance = chance
  }

  /** Plans `run` for the current process. If that process ends, the plan does not run. */
  plan(run: () => void, afterMs: number): Task {
    const owner = owners.getStore()
    const inContext = keepContext()
    const delay = Number.isFinite(afterMs) ? Math.max(0, afterMs) : 0
    const cancelled = owner?.ended === true
    const planned: Planned = {
      owner,
      cancelled,
      at: this.elapsed + delay,
      // The plan of an ended process must not use random numbers, because the rest of the run would change.
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
   * Runs tasks until `work` ends. Throws if no task is left, unless `work` is `beyond` the simulation, for example an
   * access to the disk.
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

/** Only files are read and written in other threads. All other work is in this thread. */
async function quiet(): Promise<void> {
  await endOfTurn()
  while (process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'))) await endOfTurn()
}
