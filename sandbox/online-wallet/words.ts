// The words of the online wallet's pages, in the two languages of the checkout.
import type { Language } from '../issuer/words.ts'
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
  },
}
