// Automatic charges: shape and texts.
import type { Dictionary } from '../../i18n/language.ts'

export interface AutoCharge {
  readonly status: string
  readonly amount: number
  readonly charges: number
  readonly max_charges?: number
  readonly next_on?: string
  readonly latest?: { readonly result: string; readonly attempt: number; readonly error?: string }
}

const english = {
  title: 'Automatic charges',
  about: 'Charges that the gateway makes in each cycle, at 08:00.',
  resultsTitle: 'Last 30 days',
  cycles: 'Cycles charged',
  paidAtOnce: 'Paid at once',
  recovered: 'Paid at a later attempt',
  failed: 'Not paid',
  reasons: 'Refused at first',
  calendar: 'Calendar',
  nextOn: 'Next',
  subscription: 'Subscription',
  amount: 'Amount',
  status: 'Status',
  latest: 'Latest charge',
  reason: 'Reason',
  anyResult: 'Any result',
  none: '–',
  nothing: 'No automatic charges',
  nothingText: 'Send auto_charge with a subscription, and the gateway charges each cycle.',
  of: (charges: number, most: number) => `${charges} of ${most} charges`,
  made: (charges: number) => (charges === 1 ? '1 charge' : `${charges} charges`),
  pause: 'Pause',
  pauseAsk: 'Nothing is charged until you resume. A cycle that begins meanwhile is not charged.',
  resume: 'Resume',
  resumeAsk: 'Charges continue with the next cycle that has not begun.',
  change: 'Change the amount',
  changeText: (most: string) => `From the next cycle. The customer allows ${most} in each cycle.`,
  changed: 'Amount changed',
  errors: {
    insufficient_funds: 'not enough money',
    do_not_honour: 'refused by the bank',
    limit_exceeded: 'above the limit of the card',
    expired_card: 'card expired',
    lost_or_stolen: 'card lost or stolen',
    period_total_reached: 'limit of the cycle used up',
    limit_reached: 'your own limit reached',
    suspended: 'account suspended',
  } as Readonly<Record<string, string>>,
}

export const autoChargeTexts: Dictionary<typeof english> = {
  en: english,
  pt: {
    title: 'Cobranças automáticas',
    about: 'Cobranças que o gateway faz em cada ciclo, às 08:00.',
    resultsTitle: 'Últimos 30 dias',
    cycles: 'Ciclos cobrados',
    paidAtOnce: 'Pagos à primeira',
    recovered: 'Pagos numa nova tentativa',
    failed: 'Não pagos',
    reasons: 'Recusados à primeira',
    calendar: 'Calendário',
    nextOn: 'Próxima',
    subscription: 'Subscrição',
    amount: 'Montante',
    status: 'Estado',
    latest: 'Última cobrança',
    reason: 'Motivo',
    anyResult: 'Qualquer resultado',
    none: '–',
    nothing: 'Sem cobranças automáticas',
    nothingText: 'Envie auto_charge com uma subscrição, e o gateway cobra cada ciclo.',
    of: (charges, most) => `${charges} de ${most} cobranças`,
    made: (charges) => (charges === 1 ? '1 cobrança' : `${charges} cobranças`),
    pause: 'Suspender',
    pauseAsk: 'Nada é cobrado até retomar. Um ciclo que comece entretanto não é cobrado.',
    resume: 'Retomar',
    resumeAsk: 'As cobranças continuam no próximo ciclo que ainda não começou.',
    change: 'Alterar o montante',
    changeText: (most) => `A partir do próximo ciclo. O cliente permite ${most} em cada ciclo.`,
    changed: 'Montante alterado',
    errors: {
      insufficient_funds: 'saldo insuficiente',
      do_not_honour: 'recusado pelo banco',
      limit_exceeded: 'acima do limite do cartão',
      expired_card: 'cartão expirado',
      lost_or_stolen: 'cartão perdido ou roubado',
      period_total_reached: 'limite do ciclo esgotado',
      limit_reached: 'o seu próprio limite atingido',
      suspended: 'conta suspensa',
    },
  },
}
