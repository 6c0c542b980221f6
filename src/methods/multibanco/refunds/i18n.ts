// The texts of the refund page.
import type { Locale } from '../../../pages/index.ts'

const pt = {
  title: (shop: string) => `Devolução de ${shop}`,
  amount: 'Vai receber',
  explained: (shop: string) =>
    `Indique a conta bancária em que quer receber a devolução de ${shop}. Pode fazê-lo uma vez.`,
  holder: 'Titular da conta',
  ibanHint: 'De uma conta sua em euros no espaço SEPA',
  notSepa: 'Esta conta está fora do espaço SEPA e não pode receber a transferência. Indique outra.',
  until: (day: string, time: string) => `Esta página é válida até ${day}, ${time}.`,
  review: 'Continuar',
  check: 'Confirme os dados',
  checkText:
    'O banco paga a este IBAN, mesmo que o nome não corresponda. Depois de confirmar não pode alterar.',
  account: 'IBAN',
  confirm: (amount: string) => `Receber ${amount} nesta conta`,
  change: 'Alterar os dados',
  ordered: 'Devolução pedida',
  orderedText: (day: string) => `O banco faz a transferência a ${day} ou no dia útil seguinte.`,
  paid: 'Devolução enviada',
  paidText: 'O seu banco pode demorar um dia útil a mostrar o valor.',
  returned: 'O banco devolveu a transferência',
  returnedText: 'O dinheiro voltou à loja. Contacte a loja para receber noutra conta.',
  paused: 'Esta devolução está suspensa',
  pausedText: 'A loja não pode devolver dinheiro por agora. Tente mais tarde ou contacte a loja.',
  ended: 'Esta página terminou',
  endedText: 'Nenhuma conta foi indicada a tempo. Contacte a loja para obter uma página nova.',
}

export const refundTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    title: (shop) => `Refund from ${shop}`,
    amount: 'You get',
    explained: (shop) => `Enter the bank account for your refund from ${shop}. You can do this once.`,
    holder: 'Account holder',
    ibanHint: 'Of your own account in euros within SEPA',
    notSepa: 'This account is outside SEPA and cannot get the transfer. Enter another one.',
    until: (day, time) => `This page is valid until ${day}, ${time}.`,
    review: 'Continue',
    check: 'Check your details',
    checkText:
      'The bank pays to this IBAN, even if the name differs. You cannot change it after you confirm.',
    account: 'IBAN',
    confirm: (amount) => `Get ${amount} on this account`,
    change: 'Change the details',
    ordered: 'Refund ordered',
    orderedText: (day) => `The bank makes the transfer on ${day} or the business day after.`,
    paid: 'Refund sent',
    paidText: 'Your bank may take a business day to show it.',
    returned: 'The bank returned the transfer',
    returnedText: 'The shop has the money again. Contact the shop to get it on another account.',
    paused: 'This refund is on hold',
    pausedText: 'The shop cannot send money now. Try again later, or contact the shop.',
    ended: 'This page has ended',
    endedText: 'No account was entered in time. Contact the shop for a new page.',
  },
}
