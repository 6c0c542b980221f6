// The texts of PAYPAL.
import type { Locale, Message } from '../../pages/index.ts'

const pt = {
  explained: 'Vai confirmar na página do PayPal e voltar depois a esta página.',
  explainedAccepting:
    'Vai autorizar na página do PayPal as cobranças posteriores, e voltar depois a esta página. Agora não paga nada.',
  explainedSaving:
    'Vai autorizar na página do PayPal este pagamento e as cobranças posteriores, e voltar depois a esta página.',
  submit: 'Continuar para o PayPal',
  taking: {
    title: 'A aguardar o PayPal',
    detail: 'Confirmou no PayPal; estamos a aguardar o resultado. Não feche esta página nem tente de novo.',
  },
  failed: {
    cancelled: {
      title: 'Cancelou no PayPal',
      detail: 'Não lhe foi cobrado nada. Pode tentar de novo ou escolher outro método.',
    },
    insufficient_funds: {
      title: 'O saldo no PayPal não é suficiente',
      detail: 'Não lhe foi cobrado nada. Escolha outro método ou tente com outra conta.',
    },
    refused: {
      title: 'O PayPal recusou',
      detail:
        'Não lhe foi cobrado nada. Tente de novo com outro cartão ou conta no PayPal, ou escolha outro método.',
    },
    expired: {
      title: 'O prazo no PayPal terminou',
      detail: 'Não lhe foi cobrado nada. Pode tentar de novo.',
    },
  } as Readonly<Record<string, Message>>,
  unavailable: {
    title: 'O PayPal não respondeu',
    detail: 'Não lhe foi cobrado nada. Tente de novo dentro de alguns minutos ou escolha outro método.',
  },
}

export const paypalTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    explained: 'You confirm on PayPal’s page and then return here.',
    explainedAccepting:
      'On PayPal’s page you allow later charges, and then return here. You pay nothing now.',
    explainedSaving: 'On PayPal’s page you allow this payment and later charges, and then return here.',
    submit: 'Continue to PayPal',
    taking: {
      title: 'Waiting for PayPal',
      detail:
        'You have confirmed at PayPal; we are waiting for the result. Do not close this page or try again.',
    },
    failed: {
      cancelled: {
        title: 'You cancelled at PayPal',
        detail: 'You have not been charged. You can try again or choose another method.',
      },
      insufficient_funds: {
        title: 'The PayPal balance is too low',
        detail: 'You have not been charged. Choose another method or try with another account.',
      },
      refused: {
        title: 'PayPal declined',
        detail:
          'You have not been charged. Try again with another card or account at PayPal, or choose another method.',
      },
      expired: {
        title: 'Your time at PayPal ran out',
        detail: 'You have not been charged. You can try again.',
      },
    },
    unavailable: {
      title: 'PayPal did not answer',
      detail: 'You have not been charged. Try again in a few minutes or choose another method.',
    },
  },
}
