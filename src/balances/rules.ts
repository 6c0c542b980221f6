// Pure decisions about balances: the text that names a wallet on a transfer, and whose transfers are taken.

import type { Cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import {
  creditorReference,
  groupedReference,
  isCreditorReference,
} from '../kernel/values/creditor-reference.ts'

const marker = 'CMP'
/** A bank transfer within SEPA is at most 999 999 999.99. */
const transferCentsMax = 99_999_999_999n

/** The text that tops a wallet up, as people copy it: an ISO 11649 reference, such as `RF40 CMP1 000`. */
export function topUpReference(walletId: bigint): string {
  return groupedReference(creditorReference(`${marker}${walletId}`))
}

/**
 * The number of the wallet that a transfer's text names. The reference may stand anywhere in it, in any case and
 * with any spaces, as banks and people write it.
 */
export function walletNamedIn(text: string): bigint | undefined {
  const folded = text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
  const named = new Set<bigint>()
  for (const start of folded.matchAll(new RegExp(`(?=(RF\\d{2}${marker}\\d{1,18}))`, 'g'))) {
    const longest = start[1] ?? ''
    // Digits that follow belong to the text, not to the reference: its check digits tell where it ends.
    for (let end = longest.length; end > 'RF00CMP'.length; end--) {
      const reference = longest.slice(0, end)
      if (!isCreditorReference(reference)) continue
      named.add(BigInt(reference.slice('RF00CMP'.length)))
      break
    }
  }
  const [only, ...others] = named
  return others.length === 0 ? only : undefined
}

/** A transfer is of 0.01 to 999 999 999.99. */
export function transferAmount(amount: Cents, field: string): Result<Cents> {
  if (amount < 1n) return refuse('below_minimum_amount', `${field} must be at least 0.01`)
  if (amount > transferCentsMax)
    return refuse('above_maximum_amount', `${field} must be at most 999999999.99`)
  return ok(amount)
}
