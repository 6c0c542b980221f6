// One life of a process: everything it asks of the world goes through here, and may be the last thing that it does.
import type { CrashPoint } from '../../../../src/kernel/crash-points.ts'
import { type Owner, owners } from '../machine/time.ts'
import type { World } from '../world.ts'

/** What a process asks of the world around it. */
export type Port = 'statement' | 'transaction' | 'rail' | 'notice' | 'post'

/** When to die: at the `count`th moment from now on; of every kind, or of those at one crash point alone. */
export interface Death {
  readonly count: number
  readonly point?: CrashPoint
}

/** Thrown where a process dies in the middle of code that cannot wait: what it still does reaches nobody. */
class ProcessDied extends Error {
  constructor() {
    super('the process has died')
    this.name = 'ProcessDied'
  }
}

/** One of its own for each who waits: all that wait for the same promise would be kept with it. */
const never = () => new Promise<never>(() => undefined)

/** A statement is on its way for so long; half of them are quicker than this by far. */
const onItsWayMsMax = 4

export class Life implements Owner {
  readonly name: string
  ended = false
  /** Until when it does nothing, in milliseconds since the seed began: as a process that its machine stopped. */
  sleepsUntil = 0
  /** When it was last stopped. */
  sleptFrom = 0
  readonly #world: World
  readonly #atEnd = new Set<() => void>()
  #death: Death | undefined
  #moments = 0
  #transactions = 0
  #sleepMs = 0

  constructor(name: string, world: World) {
    this.name = name
    this.#world = world
  }

  /** Runs `work` as this process does. */
  within<T>(work: () => T): T {
    return owners.run(this, work)
  }

  /** Has it die at a moment of `death`, counted from now. */
  arm(death: Death | undefined): void {
    this.#death = death
    this.#moments = 0
  }

  /**
   * Stops it for so long, as soon as it has no transaction open: on the one connection of the embedded database that would
   * stop everybody.
   */
  sleep(milliseconds: number): void {
    this.#sleepMs = milliseconds
    this.#fallAsleep()
  }

  /** Runs `work`, which has a transaction open. */
  async inTransaction<T>(work: () => Promise<T>): Promise<T> {
    this.#transactions += 1
    try {
      return await work()
    } finally {
      this.#transactions -= 1
      this.#fallAsleep()
    }
  }

  /** Calls `onEnd` when the process dies, or at once if it has; answers how to take that back. */
  atEnd(onEnd: () => void): () => void {
    if (this.ended) onEnd()
    else this.#atEnd.add(onEnd)
    return () => this.#atEnd.delete(onEnd)
  }

  /**
   * Asks the world for something. Before it arrives, and again before its answer is read, the process may die: then it is
   * never answered, and what was asked has happened or has not.
   */
  async ask<T>(port: Port, what: string, work: () => Promise<T>): Promise<T> {
    const { time, trace } = this.#world
    if (this.ended) return never()
    await time.pause(time.chance.below(onItsWayMsMax * 1000) ** 2 / (onItsWayMsMax * 1e6))
    if (this.#dies(undefined)) return never()
    trace(this.name, port, what)
    try {
      const answer = await work()
      if (this.#isAsleep()) await time.pause(0)
      return this.ended || this.#dies(undefined) ? never() : answer
    } catch (error) {
      if (this.#isAsleep()) await time.pause(0)
      if (this.ended) return never()
      throw error
    }
  }

  /** Comes back once it is not stopped. */
  async whenAwake(): Promise<void> {
    const { time } = this.#world
    while (this.#isAsleep() && !this.ended) await time.pause(this.sleepsUntil - time.elapsed)
  }

  #isAsleep(): boolean {
    return this.sleepsUntil > this.#world.time.elapsed
  }

  #fallAsleep(): void {
    if (this.#sleepMs === 0 || this.#transactions > 0 || this.ended) return
    const { time, trace } = this.#world
    this.sleptFrom = time.elapsed
    this.sleepsUntil = time.elapsed + this.#sleepMs
    this.#sleepMs = 0
    trace(this.name, 'sleeps', String(this.sleepsUntil))
  }

  /** Where the code names a crash point. */
  reach(point: CrashPoint): void {
    if (this.ended || this.#dies(point)) throw new ProcessDied()
  }

  /** Rejects when the process dies, so that the database rolls back what was not committed. */
  orDeath<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const forget = this.atEnd(() => reject(new ProcessDied()))
      work.then(resolve, reject).finally(forget)
    })
  }

  end(): void {
    if (this.ended) return
    this.ended = true
    this.#world.trace(this.name, 'dies', '')
    for (const onEnd of [...this.#atEnd]) onEnd()
    this.#atEnd.clear()
  }

  #dies(point: CrashPoint | undefined): boolean {
    const death = this.#death
    if (death === undefined || (death.point !== undefined && death.point !== point)) return false
    this.#moments += 1
    if (this.#moments < death.count) return false
    this.end()
    return true
  }
}
