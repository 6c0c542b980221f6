// Rules of debits: debtor's data, mandate text, inquiries.
import { startOfLisbonDay } from '../../kernel/lisbon.ts'
import { derivedId } from '../../kernel/random.ts'
import { after, backoffMs, day, hour, type Instant, instant, minute, second } from '../../kernel/time.ts'
import { holderProblemOf } from '../../kernel/values/account-holders.ts'
import { isOutsideEea, isSepaIban, readIban } from '../../kernel/values/ibans.ts'
import type { Creditor } from '../../rails/index.ts'
import type { Debtor, DirectDebit } from './model.ts'

/** The debtor can return a core debit without a reason (SEPA Core rulebook). */
const returnWeeks = 8
const inquiryDaysWhenPaid = 7
/** Pauses between checks of a refund. Most are decided within seconds, but transfers by file take days. */
const returnLookMs = 5 * second
const returnLookMsMax = 10 * minute

/** The UUID of the clawback after a return. It is derived from the debit's key. */
export function reportOfReturn(key: string): string {
  return derivedId(key, 'returned debit')
}

export interface DebtorForm {
  readonly holder?: string | undefined
  readonly iban?: string | undefined
  readonly mandate?: string | undefined
}

export type DebtorProblems = Readonly<
  Partial<Record<'holder' | 'iban' | 'mandate', 'missing' | 'invalid' | 'not_sepa'>>
>

export type ReadDebtor =
  | { readonly ok: true; readonly debtor: Debtor }
  | { readonly ok: false; readonly problems: DebtorProblems }

export function readDebtor(form: DebtorForm): ReadDebtor {
  const name = (form.holder ?? '').trim()
  const typed = (form.iban ?? '').trim()
  const iban = readIban(typed) ?? ''
  const problems = {
    ...problemOf('holder', holderProblemOf(name)),
    ...problemOf('iban', typed === '' ? 'missing' : ibanProblem(iban)),
    ...problemOf('mandate', form.mandate === 'accepted' ? undefined : 'missing'),
  }
  return Object.keys(problems).length === 0 ? { ok: true, debtor: { name, iban } } : { ok: false, problems }
}

function problemOf<Field extends string, Problem>(field: Field, problem: Problem | undefined) {
  return problem === undefined ? {} : ({ [field]: problem } as Record<Field, Problem>)
}

function ibanProblem(iban: string) {
  if (iban === '') return 'invalid'
  return isSepaIban(iban) ? undefined : 'not_sepa'
}

/** Banks require the debtor's address if the bank of either side is outside the EEA (EPC130-08). */
export function wantsAddress(creditor: Creditor, typed: string | undefined): boolean {
  return creditor.wantsAddress === true || isOutsideEea(readIban(typed ?? '') ?? '')
}

export function needsEmail({ wantsEmail, makesMandate }: Creditor): boolean {
  return wantsEmail === true || makesMandate === 'by e-mail'
}

export function mandateIdOf(operationId: string): string {
  return `CMP${operationId.replaceAll('-', '').toUpperCase()}`
}

export function nextInquiry(debit: DirectDebit, now: Instant): Instant | undefined {
  if (debit.state !== 'APPROVED') {
    const collected = startOfLisbonDay(debit.details.collectOn)
    return now < collected ? collected : after(now, hour)
  }
  const next = after(now, inquiryDaysWhenPaid * day)
  const end = after(debit.endedAt ?? now, returnWeeks * 7 * day)
  return now >= end ? undefined : instant(Math.min(next, end))
}

/** When to check again the refunds that reserve a part of a returned debit. */
export function nextReturnLook({ state, tries }: DirectDebit, now: Instant): Instant {
  return after(now, backoffMs(returnLookMs, state === 'RETURNED' ? tries : 0, returnLookMsMax))
}

export function collectionOf(debit: DirectDebit) {
  const { key, operationId: reference, walletId, merchantName, amount, details } = debit
  const { email, mandate, collectOn: dueOn } = details
  const debtor = email === undefined ? details.debtor : { ...details.debtor, email }
  const merchant = { id: walletId, name: merchantName }
  return { key, reference, merchant, debtor, mandate, amount, currency: 'EUR', dueOn } as const
}

type MandateText = (creditor: Creditor, merchant: string) => string

/** The text of the SEPA Core mandate. The debit stores it as shown. */
export const mandateTexts: Readonly<Record<'pt' | 'en', MandateText>> = {
  pt: ({ name, creditorId, agent, makesMandate }, merchant) =>
    makesMandate === 'by e-mail'
      ? `${agent ?? name} envia-lhe por e-mail a autorização de débito direto deste pagamento a ${merchant}. A sua conta só ` +
        'é debitada depois de a aceitar. Aceita que estes dados lhe sejam enviados para isso.'
      : ownMandatePt({ name, creditorId, agent }, merchant),
  en: ({ name, creditorId, agent, makesMandate }, merchant) =>
    makesMandate === 'by e-mail'
      ? `${agent ?? name} e-mails you the direct debit mandate of this payment to ${merchant}. Your account is debited ` +
        'only after you accept it. You agree that your data is sent to it for this purpose.'
      : ownMandateEn({ name, creditorId, agent }, merchant),
}

const ownMandatePt: MandateText = ({ name, creditorId, agent }, merchant) =>
  `Ao aceitar esta autorização de débito direto, autoriza ${name} (identificação de credor ${creditorId})` +
  `${agent === undefined ? '' : ` e ${agent}, que lhe presta serviços de pagamento,`} a ` +
  `enviar instruções ao seu banco para debitar a sua conta uma vez, pelo valor deste pagamento a ${merchant}, e ` +
  'autoriza o seu banco a debitar a sua conta de acordo com essas instruções. Tem direito a ser reembolsado pelo ' +
  'seu banco, nas condições acordadas com ele. O reembolso deve ser pedido até oito semanas a contar da data do débito.' +
  (agent === undefined
    ? ''
    : ' Os seus direitos estão explicados numa declaração que pode obter no seu banco. Aceita ser avisado do débito até dois dias antes.')

const ownMandateEn: MandateText = ({ name, creditorId, agent }, merchant) =>
  `By accepting this mandate you authorize ${name} (creditor identifier ${creditorId})` +
  `${agent === undefined ? '' : ` and ${agent}, its payment service provider,`} to send instructions ` +
  `to your bank to debit your account once, with the amount of this payment to ${merchant}, and your bank to ` +
  'debit your account in accordance with those instructions. You are entitled to a refund from your bank under ' +
  'the terms of your agreement with it. A refund must be claimed within eight weeks from the date of the debit.' +
  (agent === undefined
    ? ''
    : ' Your rights are explained in a statement that you can obtain from your bank. You agree to be notified of the debit up to two days before.')
