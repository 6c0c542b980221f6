// Messages of the issuer's page.

export type Language = 'pt' | 'en'

export interface IssuerWords {
  readonly title: string
  readonly payTo: (merchant: string) => string
  readonly storeCard: (merchant: string) => string
  readonly merchant: string
  readonly amount: string
  readonly card: string
  readonly codeLabel: string
  readonly codeHelp: string
  readonly confirm: string
  readonly cancel: string
  readonly hint: (otp: string) => string
  readonly sandbox: string
  readonly wrongCode: (left: number) => string
  readonly emptyCode: string
  readonly ended: Readonly<Record<'authenticated' | 'failed' | 'cancelled' | 'expired', string>>
  readonly returning: (merchant: string) => string
  readonly goBack: string
  readonly unknown: string
  readonly unknownHelp: string
  readonly unreported: string
  readonly unreportedHelp: string
  readonly tryAgain: string
}

export const words: Readonly<Record<Language, IssuerWords>> = {
  pt: {
    title: 'Confirme a sua identidade',
    payTo: (merchant) => `O seu banco precisa de confirmar este pagamento a ${merchant}.`,
    storeCard: (merchant) => `O seu banco precisa de confirmar que ${merchant} pode guardar o seu cartão.`,
    merchant: 'Comerciante',
    amount: 'Montante',
    card: 'Cartão',
    codeLabel: 'Código de confirmação',
    codeHelp: 'O código que o seu banco lhe enviou por SMS.',
    confirm: 'Confirmar',
    cancel: 'Cancelar',
    hint: (otp) => `Sandbox: o código é ${otp}.`,
    sandbox: 'Banco de teste',
    wrongCode: (left) =>
      left === 1
        ? 'O código está errado. Pode tentar mais 1 vez.'
        : `O código está errado. Pode tentar mais ${left} vezes.`,
    emptyCode: 'Introduza o código.',
    ended: {
      authenticated: 'Confirmado',
      failed: 'Não foi possível confirmar',
      cancelled: 'Cancelado',
      expired: 'O prazo terminou',
    },
    returning: (merchant) => `A voltar a ${merchant}…`,
    goBack: 'Continuar',
    unknown: 'Este pedido não existe',
    unknownHelp: 'Volte à loja e tente pagar outra vez.',
    unreported: 'A loja não está a responder',
    unreportedHelp: 'A sua resposta ficou guardada. Ainda não foi possível entregá-la.',
    tryAgain: 'Tentar outra vez',
  },
  en: {
    title: 'Confirm your identity',
    payTo: (merchant) => `Your bank needs to confirm this payment to ${merchant}.`,
    storeCard: (merchant) => `Your bank needs to confirm that ${merchant} may store your card.`,
    merchant: 'Merchant',
    amount: 'Amount',
    card: 'Card',
    codeLabel: 'Confirmation code',
    codeHelp: 'The code that your bank sent you by text message.',
    confirm: 'Confirm',
    cancel: 'Cancel',
    hint: (otp) => `Sandbox: code is ${otp}.`,
    sandbox: 'Test bank',
    wrongCode: (left) => `The code is wrong. You have ${left} ${left === 1 ? 'try' : 'tries'} left.`,
    emptyCode: 'Enter the code.',
    ended: {
      authenticated: 'Confirmed',
      failed: 'Not confirmed',
      cancelled: 'Cancelled',
      expired: 'Time is up',
    },
    returning: (merchant) => `Going back to ${merchant}…`,
    goBack: 'Continue',
    unknown: 'This request does not exist',
    unknownHelp: 'Go back to the shop and try to pay again.',
    unreported: 'The shop does not answer',
    unreportedHelp: 'Your answer is saved. It could not be delivered yet.',
    tryAgain: 'Try again',
  },
}

/** The preferred language of an Accept-Language header. Default: English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const liked = (acceptLanguage ?? '')
    .split(',')
    .map((entry) => /^\s*([a-z]{2})\b[^;]*(?:;\s*q=([\d.]+))?\s*$/i.exec(entry))
    .filter((match) => match !== null)
    .map((match) => ({ language: match[1]?.toLowerCase(), quality: Number(match[2] ?? 1) }))
    .filter(({ language, quality }) => (language === 'pt' || language === 'en') && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return liked[0]?.language === 'pt' ? 'pt' : 'en'
}
