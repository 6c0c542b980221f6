// Pure decisions about transfers that arrive: the text that names a wallet, and whose they are.

import {
  creditorReference,
  creditorReferencesIn,
  groupedReference,
} from '../../kernel/values/creditor-reference.ts'

const marker = 'CMP'

/** The text that tops a wallet up, as people copy it: an ISO 11649 reference, such as `RF40 CMP1 000`. */
export function topUpReference(walletId: bigint): string {
  return groupedReference(creditorReference(`${marker}${walletId}`))
}

const walletReference = new RegExp(`^RF\\d{2}${marker}(\\d{1,18})$`)

/**
 * The numbers of all wallets that a transfer's text may name. The reference may stand anywhere in it, in any case and with
 * any spaces, as banks and people write it. Where it ends is not marked: digits that follow may be the text's own, and
 * by chance the check digits can be right with and without them.
 */
export function walletsNamedIn(text: string): readonly bigint[] {
  const named = [...creditorReferencesIn(text)].flatMap(
    (reference) => walletReference.exec(reference)?.[1] ?? [],
  )
  return [...new Set(named.map(BigInt))]
}

/**
 * The one wallet that a text names; or why it names none, for the operator.
 *
 * @param existing those of `named` that there are
 */
export function onlyWalletThatIs(named: readonly bigint[], existing: readonly bigint[]): bigint | string {
  const [only, ...others] = existing
  if (only !== undefined && others.length === 0) return only
  if (named.length === 0) return 'the text names no wallet'
  return only === undefined
    ? `there is no wallet ${named.join(' or ')}`
    : `the text may name wallet ${existing.join(' or ')}`
}
