// The parts that a seed shares: time, random numbers, database, trace.
import type { Database } from '../../../src/storage/index.ts'
import type { VirtualTime } from './machine/time.ts'

export interface World {
  readonly time: VirtualTime
  readonly database: Database
  /** Whether the acquirer can decline requests that arrive after a cancellation. */
  readonly acquirerCancels: boolean
  heldUntil: number
  jumpedAt: number
  calm: boolean
  faulty: boolean
  trace(who: string, what: string, detail: string): void
}

export class Trace {
  #hash = 0x811c9dc5
  count = 0

  add(elapsed: number, who: string, what: string, detail: string): void {
    this.count += 1
    this.#mix(`${elapsed.toFixed(3)} ${who} ${what} ${detail.length} ${detail.slice(0, 200)}`)
  }

  get value(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0')
  }

  #mix(text: string): void {
    let hash = this.#hash
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    this.#hash = hash
  }
}
