// What the processes of one seed share: time, chance, the database, and the record of what happened.
import type { Database } from '../../../src/storage/index.ts'
import type { VirtualTime } from './machine/time.ts'

export interface World {
  readonly time: VirtualTime
  readonly database: Database
  /** Whether the acquirer can be told to decline what arrives later; not all can. */
  readonly acquirerCancels: boolean
  /** When the last request arrives that was given up on its way to a rail, in milliseconds since the seed began. */
  heldUntil: number
  /** When the gateway's clock last jumped, in milliseconds since the seed began. */
  jumpedAt: number
  /** Whether nothing goes wrong any more: the end of a seed, when everything must come right. */
  calm: boolean
  /** Whether what went wrong before may still be reported. */
  troubled: boolean
  /** Writes down that something happened, in the order in which it did. */
  trace(who: string, what: string, detail: string): void
}

/** The record of a seed as one number: the same for the same order of the same things at the same times. */
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
