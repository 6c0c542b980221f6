// The meaning of bank entries for our orders, and of bank codes.
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { decimalText } from '../../kernel/money.ts'
import type { ReturnReason } from '../../rails/index.ts'
import type { Unconfirmed } from '../by-hand/store.ts'
import type { BankOrder, OrderAnswer } from '../model.ts'
import type { Direction, StatusReason, Transaction } from './messages.ts'

/** `late`: a payment after its return changes nothing. `confirms`: the entry confirms a settlement. */
export type Meaning =
  | { readonly kind: 'answer'; readonly answer: OrderAnswer }
  | { readonly kind: 'late' }
  | { readonly kind: 'confirms'; readonly settled: Unconfirmed }
  | { readonly kind: 'unmatched'; readonly problem: string }

export interface OrderAsAnswered extends Pick<BankOrder, 'id' | 'kind' | 'amount' | 'answer'> {
  /** True if a return was booked before the payment. */
  readonly isReturnedOnly: boolean
  readonly byHand: readonly Unconfirmed[]
}

/** Money in the order's direction pays it, other money returns it. The return may be reported first. */
export function meaningOf(
  order: OrderAsAnswered,
  { amount, charge }: Pick<Transaction, 'amount' | 'charge'>,
  direction: Direction,
): Meaning {
  if (amount !== order.amount) return unmatched(order, `has another amount`)
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
  return settled === undefined ? 'was returned before' : `was ${settledText(settled)}`
}

function settledText({ answer, settledBy, settledAt }: Unconfirmed): string {
  return `settled by hand as ${answer} (${settledBy}, ${lisbonDayOf(settledAt)})`
}

export function contradictionOf(
  settled: Unconfirmed,
  status: string | undefined,
  reasons: readonly StatusReason[],
): string | undefined {
  if (!isRefused(status) || reasons.some(isDuplicate)) return undefined
  const code = reasons.find((one) => one.code !== undefined)?.code
  return `the bank rejects it${code === undefined ? '' : ` (${code})`}, but it was ${settledText(settled)}`
}

/** Whether money moved as the order asks: in for a collection, out for a transfer. */
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

export function returnReasonOf(code: string | undefined): ReturnReason {
  return reasons[code ?? ''] ?? 'unspecified'
}

/** Only this status of pain.002 rejects an order. With any other status it is still being processed. */
export function isRefused(status: string | undefined): boolean {
  return status === 'RJCT'
}

/** Codes of ISO 20022 for duplicates (ExternalStatusReason1Code), and texts of banks. */
const duplicateWords =
  /\b(am05|du0[1-5]|dupl)\b|dup+li[ckqz]|doppel|dubbel|doubl|doppi|dobrad|repetid|ripetut|twice|second time|(not|non) unique/
/** A text with one of these words and one of {@link takenWords} means a duplicate too. */
const beforeWords = /\b(already|before|previously|bereits|schon|deja|ya|ja|gia|anteriormente|reeds)\b/
const takenWords =
  /recei|sent|send|submit|proces|exist|presen|used|execut|known|empfangen|eingereicht|verarbeitet|vorhanden|recu|traite|envoy|receb|recib|ricevut|elaborat|enviad|inviat|ontvangen|verwerkt/

/** A person checks duplicates. A false match costs one look, but a missed one could pay twice. */
export function isDuplicate({ code = '', text = '' }: StatusReason): boolean {
  const words = `${code} ${text}`
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  return duplicateWords.test(words) || (beforeWords.test(words) && takenWords.test(words))
}

export function textOfReason({ code, text }: StatusReason): string {
  return [code, text].filter((part) => part !== undefined).join(': ')
}

/** Results of the verification of payee (EPC 218-23). */
const payeeHints: Readonly<Record<string, string>> = {
  RVNM: 'the name is not that of the account (RVNM)',
  RVMC: 'the name is nearly that of the account (RVMC)',
}

export interface StatusOfOrder {
  readonly status?: string | undefined
  readonly reasons: readonly StatusReason[]
  /** The reasons of a rejection that may mean this order or another one. */
  readonly uncertain?: readonly StatusReason[] | undefined
  /** The reasons of a rejection that the same report contradicts. */
  readonly contradiction?: readonly StatusReason[] | undefined
}

/** A hint about an unanswered order. */
export function hintOf({ status, reasons, uncertain, contradiction }: StatusOfOrder): string | undefined {
  const duplicate = reasons.find(isDuplicate)
  if (duplicate !== undefined) {
    return `the bank received it before (${textOfReason(duplicate)}): only the first one counts`
  }
  if (contradiction !== undefined)
    return `${rejectedPart(contradiction)}, but its report accepts that part or an order in it`
  const [payee] = [status, ...reasons.map(({ code }) => code)].flatMap((code) => payeeHints[code ?? ''] ?? [])
  if (payee !== undefined || uncertain === undefined || isRefused(status)) return payee
  return `${rejectedPart(uncertain)} without a name that we know`
}

function rejectedPart(given: readonly StatusReason[]): string {
  const why = given.flatMap(({ code, text }) => code ?? text ?? [])
  return `the bank rejects a part of its file${why.length === 0 ? '' : ` (${why.join(', ')})`}`
}
