// Test cards (CONTRACT section 8).
import creditCardType from 'credit-card-type'
import type { DeclineReason } from '../src/rails/index.ts'
import type { Language } from './issuer/messages.ts'

/** How the issuer answers a request to authenticate. */
export type IssuerBehaviour =
  | { readonly kind: 'frictionless' }
  | { readonly kind: 'challenge'; readonly otp: string }
  | { readonly kind: 'rejected' }

export interface AcquirerBehaviour extends Behaviour {
  /** The reason of a decline for later charges of the stored card, by its merchant or its customer. */
  readonly declineOnceStored?: DeclineReason
  /** How the acquirer answers captures, releases and refunds. Undefined: it approves. */
  readonly followUps?: Behaviour
}

interface Behaviour {
  readonly decline?: DeclineReason
  /** The acquirer decides, but only a later inquiry gets the answer. */
  readonly silent?: boolean
}

export interface TestCard {
  readonly number: string
  readonly issuer: IssuerBehaviour
  readonly acquirer: AcquirerBehaviour
  readonly outcome: Readonly<Record<Language, string>>
}

const frictionless: IssuerBehaviour = { kind: 'frictionless' }
const approves: AcquirerBehaviour = {}

export const testCards: readonly TestCard[] = [
  card('4176660000000027', frictionless, approves, 'Approved, no question asked', 'Aprovado, sem perguntas'),
  card('5299990270000368', frictionless, approves, 'Approved, no question asked', 'Aprovado, sem perguntas'),
  card(
    '378282246310005',
    frictionless,
    approves,
    'Approved; the security code has 4 digits',
    'Aprovado; o código de segurança tem 4 algarismos',
  ),
  card(
    '4176660000000092',
    challenge('0101'),
    approves,
    'The bank asks for a code: 0101',
    'O banco pede um código: 0101',
  ),
  card(
    '5299910010000015',
    challenge('4445'),
    approves,
    'The bank asks for a code: 4445',
    'O banco pede um código: 4445',
  ),
  card(
    '4000000000003063',
    { kind: 'rejected' },
    approves,
    'Rejected by 3-D Secure',
    'Rejeitado pelo 3-D Secure',
  ),
  card(
    '4000000000000002',
    frictionless,
    declines('do_not_honour'),
    'Declined: do not honour',
    'Recusado pelo banco',
  ),
  card(
    '4000000000009995',
    frictionless,
    declines('insufficient_funds'),
    'Declined: insufficient funds',
    'Recusado: saldo insuficiente',
  ),
  card(
    '4000000000000069',
    frictionless,
    declines('expired_card'),
    'Declined: expired card',
    'Recusado: cartão expirado',
  ),
  card(
    '4000000000000127',
    frictionless,
    declines('wrong_security_code'),
    'Declined: wrong security code',
    'Recusado: código de segurança errado',
  ),
  card(
    '4000000000009987',
    frictionless,
    { declineOnceStored: 'lost_or_stolen' },
    'Approved and stored, then lost: later charges of the stored card are declined',
    'Aprovado e guardado, depois perdido: as cobranças com o cartão guardado são recusadas',
  ),
  card(
    '4000000000000119',
    frictionless,
    { silent: true, followUps: { silent: true } },
    'No answer at first (also to captures, releases and refunds); a later query says approved',
    'Sem resposta à primeira (também a capturas, libertações e devoluções); aprovado numa consulta posterior',
  ),
  card(
    '4000000000000259',
    frictionless,
    { silent: true, decline: 'do_not_honour' },
    'No answer at first; a later query says declined',
    'Sem resposta à primeira; recusado numa consulta posterior',
  ),
  card(
    '4000000000000341',
    frictionless,
    { followUps: { decline: 'do_not_honour' } },
    'Approved; its captures, releases and refunds are declined',
    'Aprovado; as capturas, libertações e devoluções são recusadas',
  ),
  card(
    '4000000000000358',
    frictionless,
    { followUps: { silent: true, decline: 'do_not_honour' } },
    'Approved; no answer to captures, releases and refunds at first, a later query says declined',
    'Aprovado; capturas, libertações e devoluções sem resposta à primeira, recusadas numa consulta posterior',
  ),
]

function card(
  number: string,
  issuer: IssuerBehaviour,
  acquirer: AcquirerBehaviour,
  en: string,
  pt: string,
): TestCard {
  return { number, issuer, acquirer, outcome: { en, pt } }
}

function challenge(otp: string): IssuerBehaviour {
  return { kind: 'challenge', otp }
}

function declines(decline: DeclineReason): AcquirerBehaviour {
  return { decline }
}

const byNumber = new Map(testCards.map((card) => [card.number, card]))

/** A card that is not in the list succeeds. */
export function behaviourOf(number: string): Pick<TestCard, 'issuer' | 'acquirer'> {
  return byNumber.get(number) ?? { issuer: frictionless, acquirer: approves }
}

/** The card network, such as `visa`, or `card` if it is unknown. */
export function brandOf(number: string): string {
  return creditCardType(number)[0]?.type ?? 'card'
}
