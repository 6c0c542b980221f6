// How the sandbox's acquirer says what it decided.
import type { Randomness } from '../kernel/random.ts'
import type { AcquirerAnswer } from '../rails/index.ts'
import type { Decision } from './acquirer-store.ts'

/** What a decision is told as. */
export function answerOf({ decline, reference, approval_code: code }: Decision): AcquirerAnswer {
  if (decline !== null) return { kind: 'declined', decline, reference }
  return { kind: 'approved', reference, ...(code === null ? {} : { approvalCode: code }) }
}

export function neverAnswer(): Promise<never> {
  return new Promise(() => undefined)
}

/** Names a decision on the statements of its merchant. */
export function referenceOf(random: Randomness): string {
  return Buffer.from(random.bytes(12)).toString('hex').toUpperCase()
}
