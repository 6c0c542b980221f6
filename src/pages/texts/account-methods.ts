// The texts of paying from an online wallet, from a balance, and by direct debit.
import type { Locale } from '../model.ts'

interface Message {
  readonly title: string
  readonly detail: string
}

export interface AccountMethodTexts {
  readonly onlineWallet: {
    readonly explained: string
    readonly submit: string
    readonly taking: Message
    /** By the wallet's own word for why nothing was paid. */
    readonly failed: Readonly<Record<string, Message>>
    readonly unavailable: Message
  }
  readonly balance: {
    readonly explained: string
    /** Where a subscription is accepted, and nothing is paid. */
    readonly explainedAccepting: string
    readonly wrongPin: Message
    readonly locked: Message
    readonly notEnough: Message
  }
  readonly debit: {
    readonly explained: string
    /** Why the holder's address is asked for. */
    readonly address: string
    readonly mandate: string
    readonly title: string
    readonly detail: string
    readonly account: string
    readonly mandateId: string
    readonly collected: string
    readonly closing: string
    readonly print: string
  }
}

const nothingCharged: Readonly<Record<Locale, string>> = {
  pt: 'Não lhe foi cobrado nada.',
  en: 'You have not been charged.',
}

const portuguese: AccountMethodTexts = {
  onlineWallet: {
    explained: 'Confirma o pagamento na página do PayPal e depois volta aqui.',
    submit: 'Continuar para o PayPal',
    taking: {
      title: 'A receber o seu pagamento',
      detail: 'Confirmou o pagamento; estamos a recebê-lo. Não feche esta página nem pague de novo.',
    },
    failed: {
      cancelled: {
        title: 'Cancelou no PayPal',
        detail: `${nothingCharged.pt} Pode tentar de novo ou escolher outro método.`,
      },
      insufficient_funds: {
        title: 'O saldo no PayPal não chega',
        detail: `${nothingCharged.pt} Escolha outro método ou tente com outra conta.`,
      },
      expired: { title: 'O tempo no PayPal acabou', detail: `${nothingCharged.pt} Pode tentar de novo.` },
    },
    unavailable: {
      title: 'O PayPal não respondeu',
      detail: `${nothingCharged.pt} Tente de novo dentro de alguns minutos ou escolha outro método.`,
    },
  },
  balance: {
    explained: 'Entre com o e-mail e o PIN da sua carteira. O valor sai logo do saldo.',
    explainedAccepting:
      'Entre com o e-mail e o PIN da sua carteira. Agora não sai nada; as cobranças saem depois do saldo.',
    wrongPin: {
      title: 'O e-mail ou o PIN não está certo',
      detail: `${nothingCharged.pt} Confirme os dois: ao terceiro PIN errado a carteira fica bloqueada 24 horas.`,
    },
    locked: {
      title: 'A carteira está bloqueada',
      detail: `${nothingCharged.pt} O PIN foi errado três vezes. Pode usá-la de novo dentro de 24 horas; até lá, escolha outro método.`,
    },
    notEnough: {
      title: 'O saldo não chega',
      detail: `${nothingCharged.pt} Carregue a carteira por transferência ou escolha outro método.`,
    },
  },
  debit: {
    explained: 'O seu banco paga no próximo dia útil.',
    address: 'O banco desta conta pede a morada do titular',
    mandate: 'Autorização de débito direto SEPA',
    title: 'Débito direto pedido',
    detail: 'Obrigado. O seu banco paga na data indicada e a loja recebe então a confirmação.',
    account: 'Conta',
    mandateId: 'Referência da autorização',
    collected: 'Data do débito',
    closing: 'Não precisa de esperar: pode fechar esta página.',
    print: 'Imprimir',
  },
}

const english: AccountMethodTexts = {
  onlineWallet: {
    explained: 'You confirm the payment on PayPal’s own page, then return here.',
    submit: 'Continue to PayPal',
    taking: {
      title: 'Receiving your payment',
      detail: 'You have confirmed the payment; we are receiving it. Do not close this page or pay again.',
    },
    failed: {
      cancelled: {
        title: 'You cancelled at PayPal',
        detail: `${nothingCharged.en} You can try again or choose another method.`,
      },
      insufficient_funds: {
        title: 'There is not enough money at PayPal',
        detail: `${nothingCharged.en} Choose another method or try with another account.`,
      },
      expired: { title: 'Your time at PayPal ran out', detail: `${nothingCharged.en} You can try again.` },
    },
    unavailable: {
      title: 'PayPal did not answer',
      detail: `${nothingCharged.en} Try again in a few minutes or choose another method.`,
    },
  },
  balance: {
    explained: 'Log in with the e-mail and the PIN of your wallet. The amount leaves the balance at once.',
    explainedAccepting:
      'Log in with the e-mail and the PIN of your wallet. Nothing leaves it now; charges are taken from the balance later.',
    wrongPin: {
      title: 'The e-mail or the PIN is not right',
      detail: `${nothingCharged.en} Check both: the third wrong PIN locks the wallet for 24 hours.`,
    },
    locked: {
      title: 'The wallet is locked',
      detail: `${nothingCharged.en} The PIN was wrong three times. You can use the wallet again within 24 hours; choose another method until then.`,
    },
    notEnough: {
      title: 'The balance is too small',
      detail: `${nothingCharged.en} Top the wallet up by transfer or choose another method.`,
    },
  },
  debit: {
    explained: 'Your bank pays on the next working day.',
    address: 'The bank of this account asks for the address of its holder',
    mandate: 'SEPA direct debit mandate',
    title: 'Direct debit ordered',
    detail: 'Thank you. Your bank pays on the day below, and then the shop receives the confirmation.',
    account: 'Account',
    mandateId: 'Mandate reference',
    collected: 'Day of the debit',
    closing: 'There is no need to wait: you can close this page.',
    print: 'Print',
  },
}

export const accountMethodTexts: Readonly<Record<Locale, AccountMethodTexts>> = {
  pt: portuguese,
  en: english,
}
