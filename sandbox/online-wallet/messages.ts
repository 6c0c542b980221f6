// Messages of the online wallet's pages.
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
    emailHelp: 'Na sandbox pode usar qualquer e-mail. Sem saldo: empty@onda.example.',
    emailWrong: 'Introduza um e-mail completo, por exemplo nome@exemplo.pt.',
    next: 'Seguinte',
    review: 'Confirme o pagamento',
    payAs: 'Conta',
    merchant: 'Comerciante',
    amount: 'Montante',
    order: 'Encomenda',
    agree: (amount) => `Pagar ${amount}`,
    agreeHelp: 'O montante sai da sua conta assim que a loja o receber.',
    cancel: (merchant) => `Cancelar e voltar a ${merchant}`,
    over: {
      agreed: 'Já confirmou este pagamento',
      paid: 'Este pagamento está concluído',
      declined: 'Este pagamento terminou sem cobrança',
    },
    goBack: (merchant) => `Voltar a ${merchant}`,
    unknown: 'Este pedido não existe',
    unknownHelp: 'Volte à loja e tente pagar outra vez.',
    sandbox: 'Carteira de teste, em vez do PayPal: não movimenta dinheiro real.',
    payments: {
      title: 'Carteira online',
      lead: 'Pagamentos com a carteira de teste, em vez do PayPal. Se um cliente contestar um pagamento, a carteira retira o montante ao comerciante. Se o comerciante ganhar, recebe-o de volta.',
      none: 'Ainda não há pagamentos.',
      merchant: 'Comerciante',
      amount: 'Montante',
      state: 'Estado',
      action: 'Ação',
      states: { none: 'pago', taken: 'recuperado pela carteira', given_again: 'restituído ao comerciante' },
      reverse: 'Recuperar',
      giveAgain: 'Decidir a favor do comerciante',
      reversed: 'Recuperado. O gateway foi avisado, e o comerciante recebe um callback.',
      givenAgain: 'Restituído ao comerciante. O gateway foi avisado.',
      refused: 'Não foi possível: o pagamento já foi devolvido ou já está decidido.',
    },
  },
  en: {
    logIn: 'Log in to your account',
    logInTo: (merchant) => `To pay ${merchant}`,
    email: 'E-mail',
    emailHelp: 'In the sandbox you can use any e-mail. Without money: empty@onda.example.',
    emailWrong: 'Enter a full e-mail address, such as name@example.com.',
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
      paid: 'This payment is complete',
      declined: 'This payment ended without a charge',
    },
    goBack: (merchant) => `Back to ${merchant}`,
    unknown: 'This request does not exist',
    unknownHelp: 'Go back to the shop and try to pay again.',
    sandbox: 'Test wallet instead of PayPal: no real money.',
    payments: {
      title: 'Online wallet',
      lead: 'Payments with the test wallet that simulates PayPal. If a customer disputes a payment, the wallet takes the amount back. If the merchant wins, they get it back.',
      none: 'No payments yet.',
      merchant: 'Merchant',
      amount: 'Amount',
      state: 'State',
      action: 'Action',
      states: { none: 'paid', taken: 'reversed by the wallet', given_again: 'returned to the merchant' },
      reverse: 'Reverse',
      giveAgain: 'Decide for merchant',
      reversed: 'Reversed. The gateway has been notified, and the merchant gets a callback.',
      givenAgain: 'Returned to the merchant. The gateway has been notified.',
      refused: 'Not possible: the payment was refunded or is already decided.',
    },
  },
}
