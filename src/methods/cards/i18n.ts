// The words of method CC, in both languages: its panel, and the pages before the issuer.
import type { Locale, Message } from '../../pages/index.ts'

interface CardTexts {
  readonly acceptedBrands: string
  readonly vcodeHintAmex: string
  /** Under the number of a card that was tried before. */
  readonly keptCard: (brand: string, last4: string) => string
  readonly expiryPlaceholder: string
  readonly checkingWithBank: Message
  readonly bankFrame: string
  readonly toBank: Message
  /** Above the acquirer's own card form. */
  readonly cardForm: Message
  readonly cardFormNeedsScript: string
  readonly leaveCardForm: string
  /** Before it, in the panel. */
  readonly cardFormExplained: string
}

export const cardTexts: Readonly<Record<Locale, CardTexts>> = {
  pt: {
    acceptedBrands: 'Visa, Mastercard, American Express e outros cartões',
    vcodeHintAmex: '4 algarismos na frente',
    keptCard: (brand, last4) =>
      `Usamos de novo o seu ${brand} terminado em ${last4}. Para usar outro cartão, escreva o número dele.`,
    expiryPlaceholder: 'MM / AA',
    checkingWithBank: { title: 'A falar com o seu banco', detail: 'Um momento. Não feche esta página.' },
    bankFrame: 'Verificação do banco',
    toBank: {
      title: 'Confirme no seu banco',
      detail: 'Segue para a página do seu banco, onde confirma que é você. Depois volta aqui.',
    },
    cardForm: {
      title: 'O seu cartão',
      detail: 'Escreva-o no formulário do banco que recebe o pagamento. Depois volta aqui.',
    },
    cardFormNeedsScript: 'Este formulário precisa de JavaScript. Volte atrás para pagar de outra forma.',
    leaveCardForm: 'Voltar sem pagar',
    cardFormExplained: 'Escreve o cartão na página seguinte, no formulário do banco que recebe o pagamento.',
  },
  en: {
    acceptedBrands: 'Visa, Mastercard, American Express and other cards',
    vcodeHintAmex: '4 digits on the front',
    keptCard: (brand, last4) =>
      `Your ${brand} ending in ${last4} is used again. Type another number to use another card.`,
    expiryPlaceholder: 'MM / YY',
    checkingWithBank: { title: 'Contacting your bank', detail: 'One moment. Do not close this page.' },
    bankFrame: 'Check by the bank',
    toBank: {
      title: 'Confirm with your bank',
      detail: 'Your bank’s page opens now, to confirm that it is you. Afterwards you return here.',
    },
    cardForm: {
      title: 'Your card',
      detail: 'You type it into the form of the bank that takes the payment. Afterwards you return here.',
    },
    cardFormNeedsScript: 'This form needs JavaScript. Go back to pay in another way.',
    leaveCardForm: 'Go back without paying',
    cardFormExplained: 'You type your card on the next page, in the form of the bank that takes the payment.',
  },
}
