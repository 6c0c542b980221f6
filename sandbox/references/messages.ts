// Messages of the ATM and home banking.
import type { Language } from '../issuer/messages.ts'

export type PlaceName = 'atm' | 'homeBanking'

const pt = {
  places: {
    atm: {
      title: 'Multibanco',
      lead: 'Escolha Pagamentos e depois Pagamento de serviços ou compras. A máquina pede três números.',
    },
    homeBanking: {
      title: 'Homebanking',
      lead: 'Pague uma referência com a conta à ordem de um banco de teste.',
    },
  },
  entity: 'Entidade',
  entityHelp: '5 algarismos',
  reference: 'Referência',
  referenceHelp: '9 algarismos, com ou sem espaços',
  amountTyped: 'Montante em euros',
  next: 'Continuar',
  confirm: 'Confirme o pagamento',
  beneficiary: 'Beneficiário',
  amount: 'Montante',
  pay: (amount: string) => `Pagar ${amount}`,
  cancel: 'Cancelar',
  paid: 'Pago. O comerciante foi avisado.',
  when: 'Data e hora',
  another: 'Outro pagamento',
  wronglyTyped: 'Verifique a entidade (5 algarismos), a referência (9 algarismos) e o montante.' as
    | string
    | undefined,
  again: 'Comece de novo, por favor.',
  refusals: {
    badamount: 'Esta referência não aceita esse montante. Nada foi pago.',
    duplicatepayment: 'Esta referência já foi paga. Nada foi pago agora.',
    unknown_reference: 'Esta referência não existe. Verifique os algarismos. Nada foi pago.',
    not_started: 'Ainda não é possível pagar esta referência. Nada foi pago.',
    expired: 'O prazo para pagar esta referência terminou. Nada foi pago.',
    deleted: 'Esta referência já não é válida. Nada foi pago.',
    in_doubt:
      'O beneficiário não respondeu. O pagamento é concluído, ou o dinheiro devolvido, automaticamente.',
  },
  open: {
    title: 'Ou escolha uma referência por pagar',
    find: 'Procurar por referência ou montante',
    search: 'Procurar',
    nothing: 'Nenhuma referência por pagar corresponde à procura.',
    more: (shown: number) => `São as ${shown} mais recentes. Procure para encontrar outras.`,
    between: (min: string, max: string) => `de ${min} a ${max}`,
  },
}

export type ReferenceWords = typeof pt

export const referenceWords: Readonly<Record<Language, ReferenceWords>> = {
  pt,
  en: {
    places: {
      atm: {
        title: 'ATM',
        lead: 'Choose Payments, then Payment of purchases. The machine asks for three numbers.',
      },
      homeBanking: {
        title: 'Home banking',
        lead: 'Pay a bill by reference from the current account of a test bank.',
      },
    },
    entity: 'Entity',
    entityHelp: '5 digits',
    reference: 'Reference',
    referenceHelp: '9 digits, with or without spaces',
    amountTyped: 'Amount in euros',
    next: 'Continue',
    confirm: 'Confirm the payment',
    beneficiary: 'Beneficiary',
    amount: 'Amount',
    pay: (amount) => `Pay ${amount}`,
    cancel: 'Cancel',
    paid: 'Paid. The merchant has been notified.',
    when: 'Date and time',
    another: 'Another payment',
    wronglyTyped: undefined,
    again: 'Please start again.',
    refusals: {
      badamount: 'This reference does not take that amount. Nothing was paid.',
      duplicatepayment: 'This reference has been paid already. Nothing was paid now.',
      unknown_reference: 'This reference does not exist. Check the digits. Nothing was paid.',
      not_started: 'This reference cannot be paid yet. Nothing was paid.',
      expired: 'The time to pay this reference is over. Nothing was paid.',
      deleted: 'This reference is not valid any more. Nothing was paid.',
      in_doubt:
        'The beneficiary has not answered. The payment is completed, or the money is returned, automatically.',
    },
    open: {
      title: 'Or choose a reference to pay',
      find: 'Search by reference or amount',
      search: 'Search',
      nothing: 'No open reference matches.',
      more: (shown) => `These are the newest ${shown}. Search to find others.`,
      between: (min, max) => `from ${min} to ${max}`,
    },
  },
}
