// Texts of the payment link page.
import type { Locale } from '../pages/index.ts'

const pt = {
  pageTitle: (merchant: string) => `Pagar a ${merchant}`,
  payFor: 'Para',
  amount: 'Valor a pagar',
  between: (least: string, most: string) => `De ${least} a ${most}.`,
  amountWrong: (least: string, most: string) => `Indique um valor de ${least} a ${most}, por exemplo 12,50.`,
  methods: 'Pode pagar com',
  pay: 'Continuar para o pagamento',
  until: (day: string, time: string) => `Pode pagar até ${day}, às ${time} (hora de Lisboa).`,
  states: {
    taken: {
      title: 'Está a ser pago neste momento',
      detail: 'Outras pessoas estão a pagar. Volte a tentar daqui a uma hora: se não pagarem, pode pagar.',
    },
    USED: { title: 'Já foi pago', detail: 'Este link já foi pago. Não precisa de fazer mais nada.' },
    EXPIRED: { title: 'O prazo para pagar terminou', detail: 'Peça um novo link a quem lho enviou.' },
    CLOSED: {
      title: 'Este link foi fechado',
      detail: 'Já não é possível pagar com este link. Peça um novo link a quem lho enviou.',
    },
    unpayable: {
      title: 'De momento não é possível pagar',
      detail: 'A loja não tem nenhum método de pagamento ativo. Fale com quem lhe enviou este link.',
    },
  },
  backToLink: 'Tentar de novo',
}

export const linkWords: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    pageTitle: (merchant) => `Pay ${merchant}`,
    payFor: 'For',
    amount: 'Amount to pay',
    between: (least, most) => `From ${least} to ${most}.`,
    amountWrong: (least, most) => `Enter an amount from ${least} to ${most}, such as 12.50.`,
    methods: 'You can pay with',
    pay: 'Continue to payment',
    until: (day, time) => `You can pay until ${day}, ${time} (Lisbon time).`,
    states: {
      taken: {
        title: 'Being paid at this moment',
        detail: 'Other people are paying. Try again in an hour: if they do not pay, you can.',
      },
      USED: { title: 'Already paid', detail: 'This link has been paid. There is nothing more to do.' },
      EXPIRED: { title: 'The time to pay is over', detail: 'Ask the sender of this link for a new one.' },
      CLOSED: {
        title: 'This link was closed',
        detail: 'It cannot be paid any more. Ask the sender for a new one.',
      },
      unpayable: {
        title: 'Payment is not possible right now',
        detail:
          'The shop has no active payment method at the moment. Please contact the sender of this link.',
      },
    },
    backToLink: 'Try again',
  },
}
