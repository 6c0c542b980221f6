// A path of money, as those who walk it see it: what they do again after every death, and when it is over.
import { expect } from 'vitest'
import type { Answer, Json, World } from '../../world.ts'

/** One payment, or what else goes the path. */
export interface Walk {
  /** What merchant and customer do next, and do again where they had no answer. Throws where nobody answers. */
  go(): Promise<void>
  /** Whether it has come to its end; what must not be by then is expected here. */
  isOver(): Promise<boolean>
  /** The operation whose completion its merchant is to hear of. */
  readonly pays?: string
}

export interface Path {
  /** How far the clock goes between two tries. */
  readonly step: string
  /** @param token a stored card that pays */
  begin(world: World, token: string): Promise<Walk>
}

export const ended = ['COMPLETED', 'FAIL']

/** Once a request under one id had its answer it has that one again. */
export function answeredAlike(): (answer: Answer) => void {
  let first: string | undefined
  return ({ status, text }) => {
    expect([200, 402, 409, 503]).toContain(status)
    // Its rail was never reached.
    if (status === 503) expect(text).toContain('"code":40021')
    if (status === 409 || text.includes('"PENDING"')) return
    first ??= text.replace(/"tid".*/, '')
    expect(text.replace(/"tid".*/, '')).toBe(first)
  }
}

export function allAre(statuses: readonly string[], operations: readonly Json[]): boolean {
  return operations.every(({ status }) => statuses.includes(status))
}

export async function postTo(world: World, path: string, body: Json): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await world.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
}
