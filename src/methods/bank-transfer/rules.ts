// Rules of incoming transfers: which wallet a text names.

import {
  creditorReference,
  creditorReferencesIn,
  groupedReference,
} from '../../kernel/values/creditor-reference.ts'

const marker = 'CMP'

/** An ISO 11649 reference for people to copy, such as `RF40 CMP1 000`. */
export function topUpReference(walletId: bigint): string {
  return groupedReference(creditorReference(`${marker}${walletId}`))
}

const walletReference = new RegExp(`^RF\\d{2}${marker}(\\d{1,18})$`)

/**
 * All wallets that the text can name, in any case and spacing. The end of a reference is not marked: the check digits
 * can be right with and without the digits that follow.
 */
export function walletsNamedIn(text: string): readonly bigint[] {
  const named = [...creditorReferencesIn(text)].flatMap(
    (reference) => walletReference.exec(reference)?.[1] ?? [],
  )
  return [...new Set(named.map(BigInt))]
}

export function onlyWalletThatIs(named: readonly bigint[], existing: readonly bigint[]): bigint | string {
  const [only, ...others] = existing
  if (only !== undefined && others.length === 0) return only
  if (named.length === 0) return 'the text names no wallet'
  return only === undefined
    ? `there is no wallet ${named.join(' or ')}`
    : `the text may name wallet ${existing.join(' or ')}`
}
