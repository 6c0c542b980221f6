// The life of a simulated process. Every access to the world goes through it.
import type { CrashPoint } from '../../../../src/kernel/crash-points.ts'
import { type Owner, owners } from '../machine/time.ts'
import type { World } from '../world.ts'

export type Port = 'statement' | 'transaction' | 'rail' | 'notice' | 'post'

/** Dies at place `count`: begin or end of a call, or a crash point. With `point`, only that crash point counts. */
export interface Death {
  readonly count: number
  readonly point?: CrashPoint
}

/** Ends synchronous code at a death. Later code, such as a `catch`, has no effect: no call reaches the world. */
class ProcessDied extends Error {
  constructor() {
    super('the process has died')
    this.name = 'ProcessDied'
  }
}

/** Makes a promise for each waiting caller. A shared promise would keep all callers in memory. */
const never = () => new Promise<never>(() => undefined)

/** The longest delay of a statement. Half of the statements are much faster. */
const onItsWayMsMax = 4

export class Life implements Owner {
  readonly name: string
  ended = false
  sleepsUntil = 0
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

  within<T>(work: () => T): T {
    return owners.run(this, work)
  }

  arm(death: Death | undefined): void {
    this.#death = death
    this.#moments = 0
  }

  /**
   * Suspends the process after its transaction, because an open one would block the only connection of the embedded
   * database.
   */
  sleep(milliseconds: number): void {
    this.#sleepMs = milliseconds
    this.#fallAsleep()
  }

  async inTransaction<T>(work: () => Promise<T>): Promise<T> {
    this.#transactions += 1
    try {
      return await work()
    } finally {
      this.#transactions -= 1
      this.#fallAsleep()
    }
  }

  atEnd(onEnd: () => void): () => void {
    if (this.ended) onEnd()
    else this.#atEnd.add(onEnd)
    return () => this.#atEnd.delete(onEnd)
  }

  /**
   * Calls the world. The process can die before the call arrives, or before its answer. The call then never returns.
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

  reach(point: CrashPoint): void {
    if (this.ended || this.#dies(point)) throw new ProcessDied()
  }

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
