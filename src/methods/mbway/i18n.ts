// The texts of MBWAY, in both languages.
import type { Locale } from '../../pages/index.ts'

const pt = {
  explained: 'Enviamos o pedido para a aplicação MB WAY no seu telemóvel. Tem 4 minutos para o aprovar.',
  phone: 'Número de telemóvel',
  phoneHint: '9 algarismos, do número que usa no MB WAY',
  mandate: (digits: string) =>
    `Já autorizou esta loja a cobrar por MB WAY no número terminado em ${digits}. O telemóvel não lhe pede nada.`,
  otherPhone: 'Usar outro número',
  mandateGone: {
    title: 'Esta autorização já não chega para este pagamento',
    detail: 'Não foi cobrado nada. Indique o seu número e aprove no telemóvel, ou pague de outra forma.',
  },
  waiting: (phone: string) => ({
    title: 'Aprove no seu telemóvel',
    detail: `Abra a aplicação MB WAY do ${phone} e aprove o pedido. Esta página avança automaticamente.`,
  }),
  withdrawing: {
    title: 'A cancelar o pedido',
    detail:
      'O MB WAY ainda não confirmou o cancelamento. Até lá, o pedido ainda pode ser aprovado no telemóvel. Esta página avança automaticamente.',
  },
  withdrawn: {
    title: 'O pedido foi cancelado',
    detail: 'Não foi cobrado nada. Pode corrigir o número ou escolher outra forma de pagar.',
  },
  wrongNumber: 'Corrigir o número',
  refused: {
    title: 'O pedido foi recusado no telemóvel',
    detail: 'Não foi cobrado nada. Pode enviar outro pedido ou escolher outra forma de pagar.',
  },
  expired: {
    title: 'O prazo para aprovar terminou',
    detail: 'Não foi cobrado nada. Pode enviar outro pedido quando tiver o telemóvel consigo.',
  },
  insufficient: {
    title: 'O saldo da conta não é suficiente',
    detail: 'Não foi cobrado nada. Tente de novo depois de carregar a conta, ou pague de outra forma.',
  },
  failed: {
    title: 'O MB WAY não está a responder',
    detail: 'Não foi cobrado nada. Tente de novo dentro de momentos, ou pague de outra forma.',
  },
  tooOften: {
    title: 'Já enviámos vários pedidos',
    detail:
      'Não enviámos outro pedido e não foi cobrado nada. Responda aos pedidos no telemóvel e tente de novo, ou pague de outra forma.',
  },
}

export const mbwayTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    explained: 'We send the request to the MB WAY app on your phone. You have 4 minutes to approve it.',
    phone: 'Mobile number',
    phoneHint: '9 digits, the number you use with MB WAY',
    mandate: (digits) =>
      `You have allowed this shop to charge the MB WAY number ending in ${digits}. Your phone asks you nothing.`,
    otherPhone: 'Use another number',
    mandateGone: {
      title: 'Your permission does not cover this payment any more',
      detail: 'You were not charged. Enter your number and approve on the phone, or pay in another way.',
    },
    waiting: (phone) => ({
      title: 'Approve on your phone',
      detail: `Open the MB WAY app of ${phone} and approve the request. This page continues automatically.`,
    }),
    withdrawing: {
      title: 'Cancelling the request',
      detail:
        'MB WAY has not confirmed the cancellation yet. Until then, the request can still be approved on the phone. This page continues automatically.',
    },
    withdrawn: {
      title: 'The request was cancelled',
      detail: 'You were not charged. You can correct the number or choose another way to pay.',
    },
    wrongNumber: 'Correct the number',
    refused: {
      title: 'The request was refused on the phone',
      detail: 'You were not charged. You can send another request or choose another way to pay.',
    },
    expired: {
      title: 'The time to approve is over',
      detail: 'You were not charged. You can send another request when you have your phone at hand.',
    },
    insufficient: {
      title: 'The balance of the account is too low',
      detail: 'You were not charged. Try again after topping up the account, or pay in another way.',
    },
    failed: {
      title: 'MB WAY does not answer',
      detail: 'You were not charged. Try again in a moment, or pay in another way.',
    },
    tooOften: {
      title: 'We have sent several requests already',
      detail:
        'We did not send another one, and you were not charged. Answer the requests on the phone and try again, or pay in another way.',
    },
  },
}
