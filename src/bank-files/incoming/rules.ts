// What an entry of our account means for an order of ours, and what the bank's codes mean in our words.
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { decimalText } from '../../kernel/money.ts'
import type { ReturnReason } from '../../rails/index.ts'
import type { Unconfirmed } from '../by-hand/store.ts'
import type { BankOrder, OrderAnswer } from '../model.ts'
import type { Direction, StatusReason, Transaction } from './messages.ts'

/**
 * What an entry says of an order, or why it says nothing that can be believed. `late`: it changes nothing any more;
 * `confirms`: it is what somebody has settled by hand.
 */
export type Meaning =
  | { readonly kind: 'answer'; readonly answer: OrderAnswer }
  | { readonly kind: 'late' }
  | { readonly kind: 'confirms'; readonly settled: Unconfirmed }
  | { readonly kind: 'unmatched'; readonly problem: string }

/** The order as it stands, with what was said of it so far. */
export interface OrderAsAnswered extends Pick<BankOrder, 'id' | 'kind' | 'amount' | 'currency' | 'answer'> {
  /** Whether files have booked that it came back, and not yet that it was paid. */
  readonly isReturnedOnly: boolean
  readonly byHand: readonly Unconfirmed[]
}

/**
 * What a booked transaction says of the order whose reference it carries. Money in is a collection that was paid, or a
 * transfer that came back; money out a transfer that was paid, or a collection that the debtor had returned. A notification
 * may report within minutes what came back, and the statement of the day that it was paid before.
 */
export function meaningOf(
  order: OrderAsAnswered,
  { amount, currency, charge }: Pick<Transaction, 'amount' | 'currency' | 'charge'>,
  direction: Direction,
): Meaning {
  if (amount !== order.amount || currency !== order.currency)
    return unmatched(order, `is over another amount`)
  const forward = isForward(order.kind, direction)
  const answer = forward ? 'paid' : 'returned'
  const settled = order.byHand.find((one) => one.answer === answer)
  if (settled !== undefined && settled.fee > 0n && charge !== undefined && charge !== settled.fee)
    return unmatched(
      order,
      `was settled by hand with a charge of ${decimalText(settled.fee)}, not ${decimalText(charge)}`,
    )
  if (settled !== undefined) return { kind: 'confirms', settled }
  if (forward && order.isReturnedOnly) return { kind: 'late' }
  if (order.answer === 'returned') return unmatched(order, whyReturned(order))
  if (forward && order.answer === 'paid') return unmatched(order, 'was paid before')
  return { kind: 'answer', answer }
}

function whyReturned({ byHand }: OrderAsAnswered): string {
  const settled = byHand.find(({ answer }) => answer === 'returned')
  return settled === undefined ? 'was returned before' : `was ${settledInWords(settled)}`
}

function settledInWords({ answer, settledBy, settledAt }: Unconfirmed): string {
  return `settled by hand as ${answer} (${settledBy}, ${lisbonDayOf(settledAt)})`
}

/** What the operator should know of an order that was settled as paid and that the bank refuses; undefined: nothing. */
export function contradictionOf(
  settled: Unconfirmed,
  status: string | undefined,
  reasons: readonly StatusReason[],
): string | undefined {
  if (!isRefused(status) || reasons.some(isDuplicate)) return undefined
  const code = reasons.find((one) => one.code !== undefined)?.code
  return `the bank refuses it${code === undefined ? '' : ` (${code})`}, and it was ${settledInWords(settled)}`
}

/** Whether money went the way that the order wants: in for a collection, out for a transfer. */
export function isForward(kind: BankOrder['kind'], direction: Direction): boolean {
  return (kind === 'collection') === (direction === 'credit')
}

function unmatched({ kind, id }: OrderAsAnswered, what: string): Meaning {
  return { kind: 'unmatched', problem: `${kind} ${id} ${what}` }
}

const reasons: Readonly<Record<string, ReturnReason>> = {
  AM04: 'insufficient_funds',
  AC01: 'account_closed',
  AC04: 'account_closed',
  AC06: 'account_closed',
  MD01: 'refused_by_debtor',
  MD06: 'refused_by_debtor',
  MS02: 'refused_by_debtor',
  SL01: 'refused_by_debtor',
}

/** A reason code of ISO 20022 in our words. */
export function returnReasonOf(code: string | undefined): ReturnReason {
  return reasons[code ?? ''] ?? 'unspecified'
}

/** Statuses of pain.002 that refuse; every other one says that the order is still on its way. */
export function isRefused(status: string | undefined): boolean {
  return status === 'RJCT'
}

/** That the bank has had an order before: codes of ISO 20022 (ExternalStatusReason1Code), and words of banks. */
const duplicateWords =
  /\b(am05|du0[1-5]|dupl)\b|dup+li[ckqz]|doppel|dubbel|doubl|doppi|dobrad|repetid|ripetut|twice|second time|(not|non) unique/
/** In several languages; with a word of {@link takenWords} they say the same. */
const beforeWords = /\b(already|before|previously|bereits|schon|deja|ya|ja|gia|anteriormente|reeds)\b/
const takenWords =
  /recei|sent|send|submit|proces|exist|presen|used|execut|known|empfangen|eingereicht|verarbeitet|vorhanden|recu|traite|envoy|receb|recib|ricevut|elaborat|enviad|inviat|ontvangen|verwerkt/

/**
 * Whether the bank has had an order before. Then it says nothing of the first one, which may be paid. A code of its own may
 * say so too. A text that only looks like it costs a look of the operator; one that is not recognised could pay twice.
 */
export function isDuplicate({ code = '', text = '' }: StatusReason): boolean {
  const words = `${code} ${text}`
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  return duplicateWords.test(words) || (beforeWords.test(words) && takenWords.test(words))
}

/** Results of the verification of payee (EPC 218-23), as statuses or reasons. */
const payeeHints: Readonly<Record<string, string>> = {
  RVNM: 'the name is not that of the account (RVNM)',
  RVMC: 'the name is nearly that of the account (RVMC)',
}

/**
 * What the operator should know of an order that is not answered; undefined: nothing.
 *
 * @param unnamed why a group of its file is refused that the bank does not name
 */
export function hintOf(
  status: string | undefined,
  reasons: readonly StatusReason[],
  unnamed?: readonly StatusReason[],
): string | undefined {
  const duplicate = reasons.find(isDuplicate)
  if (duplicate !== undefined) {
    const why = [duplicate.code, duplicate.text].filter((part) => part !== undefined).join(': ')
    return `the bank has had it before (${why}): the first one counts`
  }
  const [payee] = [status, ...reasons.map(({ code }) => code)].flatMap((code) => payeeHints[code ?? ''] ?? [])
  if (payee !== undefined || unnamed === undefined || isRefused(status)) return payee
  const why = unnamed.flatMap(({ code, text }) => code ?? text ?? [])
  return `the bank refuses a group of its file${why.length === 0 ? '' : ` (${why.join(', ')})`} and does not say which`
}
