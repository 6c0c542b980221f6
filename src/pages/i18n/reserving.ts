// Texts of authorizations, where they differ from payments.
import type { Locale } from '../model.ts'
import type { Texts } from './shape.ts'

const nothingReserved = { pt: 'Não lhe foi reservado nada.', en: 'Nothing has been reserved.' }

export const reserving: Record<Locale, (words: Texts) => Partial<Texts>> = {
  en: ({ declined, waiting, outcomes }) => ({
    chooseMethod: 'How would you like to reserve it?',
    tooManyCards: {
      title: 'Too many cards were tried',
      detail: `${nothingReserved.en} Choose another method, or return to the shop.`,
    },
    tryAgain: { title: 'The amount was not reserved', detail: `${nothingReserved.en} Please try again.` },
    waiting: {
      title: waiting.title,
      detail: 'This usually takes a few seconds. Do not close this page or confirm again.',
    },
    declined: {
      ...declined,
      do_not_honour: { ...declined.do_not_honour, title: 'Your bank declined the reservation' },
      not_permitted: {
        title: 'This card does not allow this reservation',
        detail: `${nothingReserved.en} Use another card, or check in your bank's app that it works online.`,
      },
      suspected_fraud: { ...declined.suspected_fraud, title: 'Your bank stopped this reservation' },
      authentication_required: {
        ...declined.authentication_required,
        detail: `${nothingReserved.en} Try again and confirm the reservation with your bank.`,
      },
    },
    outcomes: {
      ...outcomes,
      failed: {
        title: 'The amount was not reserved',
        detail: `${nothingReserved.en} Return to the shop to try again.`,
      },
      cancelled: { title: 'Reservation cancelled', detail: nothingReserved.en },
      expired: {
        title: 'The time to reserve is over',
        detail: `${nothingReserved.en} Return to the shop to start again.`,
      },
      voided: { title: 'The shop withdrew this reservation', detail: nothingReserved.en },
    },
  }),
  pt: ({ declined, waiting, outcomes }) => ({
    chooseMethod: 'Como quer reservar?',
    tooManyCards: {
      title: 'Foram tentados demasiados cartões',
      detail: `${nothingReserved.pt} Escolha outro método ou volte à loja.`,
    },
    tryAgain: { title: 'O valor não foi reservado', detail: `${nothingReserved.pt} Tente de novo.` },
    waiting: {
      title: waiting.title,
      detail: 'Costuma demorar poucos segundos. Não feche esta página nem confirme de novo.',
    },
    declined: {
      ...declined,
      do_not_honour: { ...declined.do_not_honour, title: 'O banco recusou a reserva' },
      not_permitted: {
        title: 'Este cartão não permite esta reserva',
        detail: `${nothingReserved.pt} Use outro cartão ou veja na aplicação do seu banco se funciona online.`,
      },
      suspected_fraud: { ...declined.suspected_fraud, title: 'O banco bloqueou esta reserva' },
      authentication_required: {
        ...declined.authentication_required,
        detail: `${nothingReserved.pt} Tente de novo e confirme a reserva junto do seu banco.`,
      },
    },
    outcomes: {
      ...outcomes,
      failed: {
        title: 'O valor não foi reservado',
        detail: `${nothingReserved.pt} Volte à loja para tentar de novo.`,
      },
      cancelled: { title: 'Reserva cancelada', detail: nothingReserved.pt },
      expired: {
        title: 'O prazo para reservar terminou',
        detail: `${nothingReserved.pt} Volte à loja para começar de novo.`,
      },
      voided: { title: 'A loja anulou esta reserva', detail: nothingReserved.pt },
    },
  }),
}
