// Texts of subscriptions.
import type { ChargeStatus, Period, SubscriptionStatus } from '../../subscriptions/index.ts'
import type { Locale, Outcome } from '../model.ts'
import type { Message } from './shape.ts'

export interface SubscriptionWords {
  readonly termsTitle: string
  readonly endedTermsTitle: string
  readonly every: (frequency: number, period: Period) => string
  readonly allowed: (merchant: string, amount: string, every: string) => string
  readonly from: (day: string) => string
  readonly fromTo: (first: string, last: string) => string
  readonly conditions: string
  readonly payAndAccept: (amount: string) => string
  readonly toPayNow: string
  readonly paidNow: string
  readonly nothing: string
  readonly later: string
  /** `lifeFrom` or `lifeFromTo` follows this text. */
  readonly laterUpTo: (amount: string, every: string, life: string) => string
  readonly lifeFrom: (day: string) => string
  readonly lifeFromTo: (first: string, last: string) => string
  readonly acceptedToo: string
  readonly outcomes: Readonly<Partial<Record<Outcome['kind'], Message>>>
  readonly manageLink: string
  readonly manageHint: string

  readonly pageTitle: (merchant: string) => string
  readonly statuses: Readonly<Record<SubscriptionStatus, Message>>
  readonly left: (amount: string, day: string) => string
  readonly chargedTo: (brand: string, last4: string) => string
  readonly chargedToBalance: string
  readonly chargesTitle: string
  readonly noCharges: string
  readonly latestOf: (shown: number, count: number) => string
  readonly chargeStatuses: Readonly<Record<ChargeStatus, string>>
  readonly openCharge: OpenChargeWords
  readonly cancel: string
  readonly cancelSure: Message
  readonly cancelYes: string
  readonly cancelNo: string
}

/** A charge that failed. */
interface OpenChargeWords {
  readonly title: (amount: string) => string
  readonly detail: string
  readonly retried: (day: string) => string
  readonly tryNow: string
  readonly busy: Message
  readonly paid: Message
  readonly later: Message
  readonly refused: Message
  readonly over: Message
}

const english: SubscriptionWords = {
  termsTitle: 'Your permission',
  endedTermsTitle: 'Your permission (ended)',
  every: (frequency, period) => {
    const word = { DAY: 'day', WEEK: 'week', MONTH: 'month' }[period]
    return frequency === 1 ? `every ${word}` : `every ${frequency} ${word}s`
  },
  allowed: (merchant, amount, every) => `${merchant} may charge you up to ${amount} ${every}.`,
  from: (day) => `From ${day}, until you cancel.`,
  fromTo: (first, last) => `From ${first} to ${last}.`,
  conditions:
    'Within this limit the shop chooses dates and amounts. You can cancel at any time. It ends at the latest when your card or MB WAY authorization ends.',
  payAndAccept: (amount) => `Pay ${amount} and accept`,
  toPayNow: 'To pay now',
  paidNow: 'Paid now',
  nothing: 'Nothing',
  later: 'May be charged later',
  laterUpTo: (amount, every, life) => `Up to ${amount} ${every}, ${life}`,
  lifeFrom: (day) => `from ${day} until you cancel`,
  lifeFromTo: (first, last) => `from ${first} to ${last}`,
  acceptedToo: 'The subscription is accepted too.',
  outcomes: {
    failed: { title: 'The subscription was not accepted', detail: 'You have not been charged.' },
    cancelled: { title: 'You did not accept the subscription', detail: 'You have not been charged.' },
    expired: {
      title: 'The time to accept is over',
      detail: 'You have not been charged. Return to the shop to start again.',
    },
    voided: { title: 'The shop withdrew this subscription', detail: 'The shop can no longer charge you.' },
  },
  manageLink: 'See or cancel the subscription',
  manageHint: 'Keep this link. With it you can see the charges and cancel the subscription.',

  pageTitle: (merchant) => `Your subscription to ${merchant}`,
  statuses: {
    NEW: { title: 'Not accepted yet', detail: 'The shop cannot charge you.' },
    APPROVED: { title: 'Active', detail: 'The shop may charge you within the limits below.' },
    FAILED: { title: 'Not accepted', detail: 'The shop cannot charge you.' },
    EXPIRED: { title: 'Over', detail: 'Its last day has passed. The shop can no longer charge you.' },
    CANCELED: { title: 'Cancelled', detail: 'You cancelled it. The shop can no longer charge you.' },
    VOIDED: { title: 'Ended by the shop', detail: 'The shop can no longer charge you.' },
  },
  left: (amount, day) => `Up to ${amount} more can be charged, until ${day}.`,
  chargedTo: (brand, last4) => `Charged to ${brand} ending in ${last4}.`,
  chargedToBalance: 'Charged to the balance of your wallet.',
  chargesTitle: 'Charges',
  noCharges: 'Nothing has been charged so far.',
  latestOf: (shown, count) => `The latest ${shown} of ${count}.`,
  chargeStatuses: {
    NEW: 'being processed',
    PROCESSING: 'being processed',
    SUCCESS: 'charged',
    FAIL: 'not charged',
  },
  openCharge: {
    title: (amount) => `A charge of ${amount} failed`,
    detail: 'You were not charged. Check that there is enough money, or that your bank allows the payment.',
    retried: (day) => `The next attempt is on ${day}.`,
    tryNow: 'Try again now',
    busy: { title: 'Being charged', detail: 'The answer comes in a moment. You can close this page.' },
    paid: { title: 'Charged', detail: 'Thank you. Nothing is left to pay.' },
    later: {
      title: 'That is enough for today',
      detail: 'The charge was tried several times today. Try again tomorrow, or ask the shop how to pay.',
    },
    refused: {
      title: 'This charge cannot be tried again',
      detail: 'You were not charged. Contact the shop, or accept a new subscription there.',
    },
    over: {
      title: 'This link has ended',
      detail: 'The charge cannot be tried again. Ask the shop how to pay.',
    },
  },
  cancel: 'Cancel the subscription',
  cancelSure: {
    title: 'Cancel this subscription?',
    detail: 'The shop can no longer charge you. Earlier charges are not refunded.',
  },
  cancelYes: 'Yes, cancel it',
  cancelNo: 'Keep it',
}

const portuguese: SubscriptionWords = {
  termsTitle: 'A sua autorização',
  endedTermsTitle: 'A sua autorização (terminada)',
  every: (frequency, period) => {
    const word = { DAY: 'dia', WEEK: 'semana', MONTH: 'mês' }[period]
    const words = { DAY: 'dias', WEEK: 'semanas', MONTH: 'meses' }[period]
    return frequency === 1 ? `por ${word}` : `a cada ${frequency} ${words}`
  },
  allowed: (merchant, amount, every) => `${merchant} pode cobrar-lhe até ${amount} ${every}.`,
  from: (day) => `A partir de ${day}, até cancelar.`,
  fromTo: (first, last) => `De ${first} a ${last}.`,
  conditions:
    'Dentro deste limite, a loja escolhe as datas e os valores. Pode cancelar a qualquer momento. Termina, o mais tardar, quando terminar o seu cartão ou a sua autorização MB WAY.',
  payAndAccept: (amount) => `Pagar ${amount} e aceitar`,
  toPayNow: 'A pagar agora',
  paidNow: 'Pago agora',
  nothing: 'Nada',
  later: 'Pode ser cobrado depois',
  laterUpTo: (amount, every, life) => `Até ${amount} ${every}, ${life}`,
  lifeFrom: (day) => `a partir de ${day} e até cancelar`,
  lifeFromTo: (first, last) => `de ${first} a ${last}`,
  acceptedToo: 'A subscrição também ficou aceite.',
  outcomes: {
    failed: { title: 'A subscrição não foi aceite', detail: 'Não lhe foi cobrado nada.' },
    cancelled: { title: 'Não aceitou a subscrição', detail: 'Não lhe foi cobrado nada.' },
    expired: {
      title: 'O prazo para aceitar terminou',
      detail: 'Não lhe foi cobrado nada. Volte à loja para começar de novo.',
    },
    voided: { title: 'A loja anulou esta subscrição', detail: 'A loja já não lhe pode cobrar nada.' },
  },
  manageLink: 'Ver ou cancelar a subscrição',
  manageHint: 'Guarde este link. Com ele pode ver as cobranças e cancelar a subscrição.',

  pageTitle: (merchant) => `A sua subscrição de ${merchant}`,
  statuses: {
    NEW: { title: 'Ainda não aceite', detail: 'A loja não lhe pode cobrar nada.' },
    APPROVED: { title: 'Ativa', detail: 'A loja pode cobrar-lhe dentro dos limites abaixo.' },
    FAILED: { title: 'Não aceite', detail: 'A loja não lhe pode cobrar nada.' },
    EXPIRED: { title: 'Terminada', detail: 'O último dia já passou. A loja já não lhe pode cobrar nada.' },
    CANCELED: { title: 'Cancelada', detail: 'Cancelou-a. A loja já não lhe pode cobrar nada.' },
    VOIDED: { title: 'Terminada pela loja', detail: 'A loja já não lhe pode cobrar nada.' },
  },
  left: (amount, day) => `Ainda pode ser cobrado até ${amount}, até ${day}.`,
  chargedTo: (brand, last4) => `Cobrado no ${brand} terminado em ${last4}.`,
  chargedToBalance: 'Cobrado no saldo da sua carteira.',
  chargesTitle: 'Cobranças',
  noCharges: 'Ainda não foi cobrado nada.',
  latestOf: (shown, count) => `As últimas ${shown} de ${count}.`,
  chargeStatuses: {
    NEW: 'em processamento',
    PROCESSING: 'em processamento',
    SUCCESS: 'cobrado',
    FAIL: 'não cobrado',
  },
  openCharge: {
    title: (amount) => `Uma cobrança de ${amount} falhou`,
    detail: 'Não lhe foi cobrado nada. Confirme que tem saldo, ou que o seu banco permite o pagamento.',
    retried: (day) => `A próxima tentativa é a ${day}.`,
    tryNow: 'Tentar de novo agora',
    busy: { title: 'A cobrar', detail: 'A resposta chega dentro de momentos. Pode fechar esta página.' },
    paid: { title: 'Cobrado', detail: 'Obrigado. Não falta pagar nada.' },
    later: {
      title: 'Por hoje já chega',
      detail: 'A cobrança foi tentada várias vezes hoje. Tente amanhã, ou pergunte à loja como pode pagar.',
    },
    refused: {
      title: 'Não é possível tentar esta cobrança de novo',
      detail: 'Não lhe foi cobrado nada. Contacte a loja, ou aceite lá uma nova subscrição.',
    },
    over: {
      title: 'Este link terminou',
      detail: 'Já não é possível tentar esta cobrança de novo. Pergunte à loja como pode pagar.',
    },
  },
  cancel: 'Cancelar a subscrição',
  cancelSure: {
    title: 'Cancelar esta subscrição?',
    detail: 'A loja deixa de lhe poder cobrar. As cobranças já feitas não são devolvidas.',
  },
  cancelYes: 'Sim, cancelar',
  cancelNo: 'Manter',
}

export const subscriptionWords: Readonly<Record<Locale, SubscriptionWords>> = { pt: portuguese, en: english }
