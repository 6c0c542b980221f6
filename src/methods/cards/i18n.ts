// The texts of CC, in both languages.
import type { Locale } from '../../pages/index.ts'

const pt = {
  acceptedBrands: 'Visa, Mastercard, American Express e outros cartões',
  vcodeHintAmex: '4 algarismos na frente',
  keptCard: (brand: string, last4: string) =>
    `Usamos de novo o seu ${brand} terminado em ${last4}. Para usar outro cartão, introduza o número.`,
  savedCards: 'Os seus cartões guardados',
  savedCard: (brand: string, last4: string) => `${brand} terminado em ${last4}`,
  validUntil: (month: string) => `válido até ${month}`,
  otherCard: 'Usar outro cartão',
  save: 'Guardar o meu cartão para esta loja',
  saveHint: 'Da próxima vez só indica o código de segurança. Pode pedir à loja que o apague.',
  savedCardGone: {
    title: 'Este cartão já não está guardado',
    detail: 'Não foi cobrado. Escolha outro cartão.',
  },
  expiryPlaceholder: 'MM / AA',
  checkingWithBank: { title: 'A contactar o seu banco', detail: 'Um momento. Não feche esta página.' },
  bankFrame: 'Verificação do banco',
  toBank: {
    title: 'Confirme no seu banco',
    detail: 'Vai passar à página do seu banco para confirmar a sua identidade. No fim volta a esta página.',
  },
  cardForm: {
    title: 'O seu cartão',
    detail: 'Introduza os dados no formulário do banco adquirente. No fim volta a esta página.',
  },
  cardFormNeedsScript: 'Este formulário precisa de JavaScript. Volte atrás para pagar de outra forma.',
  leaveCardForm: 'Voltar sem pagar',
  cardFormExplained:
    'Vai introduzir os dados do cartão na página seguinte, no formulário do banco adquirente.',
}

export const cardTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    acceptedBrands: 'Visa, Mastercard, American Express and other cards',
    vcodeHintAmex: '4 digits on the front',
    keptCard: (brand, last4) =>
      `We use your ${brand} ending in ${last4} again. To use another card, enter its number.`,
    savedCards: 'Your saved cards',
    savedCard: (brand, last4) => `${brand} ending in ${last4}`,
    validUntil: (month) => `valid until ${month}`,
    otherCard: 'Use another card',
    save: 'Save my card for this shop',
    saveHint: 'Next time you only enter its security code. You can ask the shop to delete it.',
    savedCardGone: {
      title: 'This card is no longer saved',
      detail: 'It was not charged. Choose another card.',
    },
    expiryPlaceholder: 'MM / YY',
    checkingWithBank: { title: 'Contacting your bank', detail: 'One moment. Do not close this page.' },
    bankFrame: 'Check by the bank',
    toBank: {
      title: 'Confirm with your bank',
      detail: 'Your bank’s page opens now to confirm your identity. Then you return here.',
    },
    cardForm: {
      title: 'Your card',
      detail: 'Enter it in the form of the acquirer. Then you return here.',
    },
    cardFormNeedsScript: 'This form needs JavaScript. Go back to pay in another way.',
    leaveCardForm: 'Go back without paying',
    cardFormExplained: 'You enter your card on the next page, in the form of the acquirer.',
  },
}
