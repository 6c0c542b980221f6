// Messages of the issuer's page.

export type Language = 'pt' | 'en'

const pt = {
  title: 'Confirme a sua identidade',
  payTo: (merchant: string) => `O seu banco precisa de confirmar este pagamento a ${merchant}.`,
  storeCard: (merchant: string) =>
    `O seu banco precisa de confirmar que ${merchant} pode guardar o seu cartão.`,
  merchant: 'Comerciante',
  amount: 'Montante',
  card: 'Cartão',
  codeLabel: 'Código de confirmação',
  codeHelp: 'O código que o seu banco lhe enviou por SMS.',
  confirm: 'Confirmar',
  cancel: 'Cancelar',
  hint: (otp: string) => `Sandbox: o código é ${otp}.`,
  sandbox: 'Banco de teste',
  wrongCode: (left: number) =>
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
  returning: (merchant: string) => `A voltar a ${merchant}…`,
  goBack: 'Continuar',
  unknown: 'Este pedido não existe',
  unknownHelp: 'Volte à loja e tente pagar outra vez.',
  unreported: 'A loja não está a responder',
  unreportedHelp: 'A sua resposta ficou guardada. Ainda não foi possível entregá-la.',
  tryAgain: 'Tentar outra vez',
}

export type IssuerWords = typeof pt

export const words: Readonly<Record<Language, IssuerWords>> = {
  pt,
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

/** The language that the browser prefers. Default: English. */
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
