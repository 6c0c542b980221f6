// One way to move money, as merchant and customer see it.
import { expect } from 'vitest'
import type { Answer, Json, World } from '../../world.ts'

export interface Walk {
  go(): Promise<void>
  isOver(): Promise<boolean>
  readonly pays?: string
}

export interface Path {
  readonly step: string
  /** @param token a stored card that pays */
  begin(world: World, token: string): Promise<Walk>
}

export const ended = ['COMPLETED', 'FAIL']

export function answeredAlike(): (answer: Answer) => void {
  let first: string | undefined
  return ({ status, text }) => {
    expect([200, 402, 409, 503]).toContain(status)
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
