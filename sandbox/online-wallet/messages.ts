// The words of the online wallet's pages, in the two languages of the checkout.
import type { Language } from '../issuer/messages.ts'
import type { OrderState } from './model.ts'

export interface WalletWords {
  readonly logIn: string
  readonly logInTo: (merchant: string) => string
  readonly email: string
  readonly emailHelp: string
  readonly emailWrong: string
  readonly next: string
  readonly review: string
  readonly payAs: string
  readonly merchant: string
  readonly amount: string
  readonly order: string
  readonly agree: (amount: string) => string
  readonly agreeHelp: string
  readonly cancel: (merchant: string) => string
  readonly over: Readonly<Record<Exclude<OrderState, 'open'>, string>>
  readonly goBack: (merchant: string) => string
  readonly unknown: string
  readonly unknownHelp: string
  readonly sandbox: string
  readonly payments: {
    readonly title: string
    readonly lead: string
    readonly none: string
    readonly merchant: string
    readonly amount: string
    readonly state: string
    readonly action: string
    readonly states: Readonly<Record<'none' | 'taken' | 'given_again', string>>
    readonly reverse: string
    readonly giveAgain: string
    readonly reversed: string
    readonly givenAgain: string
    readonly refused: string
  }
}

export const walletWords: Readonly<Record<Language, WalletWords>> = {
  pt: {
    logIn: 'Entre na sua conta',
    logInTo: (merchant) => `Para pagar a ${merchant}`,
    email: 'E-mail',
    emailHelp: 'Na sandbox serve qualquer e-mail. Sem saldo: empty@onda.example.',
    emailWrong: 'Escreva um e-mail completo, por exemplo nome@exemplo.pt.',
    next: 'Seguinte',
    review: 'Confirme o pagamento',
    payAs: 'Conta',
    merchant: 'Comerciante',
    amount: 'Montante',
    order: 'Encomenda',
    agree: (amount) => `Pagar ${amount}`,
    agreeHelp: 'O valor sai da sua conta assim que a loja o receber.',
    cancel: (merchant) => `Cancelar e voltar a ${merchant}`,
    over: {
      agreed: 'Já confirmou este pagamento',
      paid: 'Este pagamento está feito',
      declined: 'Este pagamento terminou sem cobrança',
    },
    goBack: (merchant) => `Voltar a ${merchant}`,
    unknown: 'Este pedido não existe',
    unknownHelp: 'Volte à loja e tente pagar outra vez.',
    sandbox: 'Carteira de teste, no lugar do PayPal: não há dinheiro a sério.',
    payments: {
      title: 'Carteira online',
      lead: 'O que foi pago com a carteira que faz de PayPal. Um cliente que reclama recebe o dinheiro de volta: a carteira tira-o ao comerciante, que o tem outra vez se tiver razão.',
      none: 'Ainda não foi pago nada com ela.',
      merchant: 'Comerciante',
      amount: 'Montante',
      state: 'Estado',
      action: 'Ação',
      states: { none: 'pago', taken: 'anulado pela carteira', given_again: 'entregue outra vez' },
      reverse: 'Anular',
      giveAgain: 'Dar razão ao comerciante',
      reversed: 'Anulado. O gateway foi avisado, e o comerciante recebe um callback.',
      givenAgain: 'Entregue outra vez. O gateway foi avisado.',
      refused: 'Não foi possível: o pagamento já foi devolvido, ou já estava decidido.',
    },
  },
  en: {
    logIn: 'Log in to your account',
    logInTo: (merchant) => `To pay ${merchant}`,
    email: 'E-mail',
    emailHelp: 'In the sandbox any e-mail will do. Without money: empty@onda.example.',
    emailWrong: 'Type a full e-mail, such as name@example.com.',
    next: 'Next',
    review: 'Confirm the payment',
    payAs: 'Account',
    merchant: 'Merchant',
    amount: 'Amount',
    order: 'Order',
    agree: (amount) => `Pay ${amount}`,
    agreeHelp: 'The amount leaves your account as soon as the shop receives it.',
    cancel: (merchant) => `Cancel and go back to ${merchant}`,
    over: {
      agreed: 'You have confirmed this payment',
      paid: 'This payment is made',
      declined: 'This payment ended without a charge',
    },
    goBack: (merchant) => `Back to ${merchant}`,
    unknown: 'There is no such request',
    unknownHelp: 'Go back to the shop and try to pay again.',
    sandbox: 'Test wallet, in the place of PayPal: no real money.',
    payments: {
      title: 'Online wallet',
      lead: 'What was paid with the wallet that plays PayPal. A customer who complains gets the money back: the wallet takes it from the merchant, who has it again if they are right.',
      none: 'Nothing has been paid with it so far.',
      merchant: 'Merchant',
      amount: 'Amount',
      state: 'State',
      action: 'Action',
      states: { none: 'paid', taken: 'reversed by the wallet', given_again: 'given again' },
      reverse: 'Reverse',
      giveAgain: 'Decide for the merchant',
      reversed: 'Reversed. The gateway has been notified, and the merchant gets a callback.',
      givenAgain: 'Given again. The gateway has been notified.',
      refused: 'It cannot be done: the payment was refunded, or it had been decided.',
    },
  },
}
