// Messages of the bank's page.
import type { Language } from '../issuer/messages.ts'
import type { BankState } from './model.ts'
import type { Outcome } from './settle.ts'

export interface BankWords {
  readonly title: string
  /** Text before, in and after the link to the clock. */
  readonly lead: readonly [before: string, clock: string, after: string]
  readonly debits: string
  readonly debtor: string
  readonly payouts: string
  readonly payoutsTitle: string
  readonly beneficiary: string
  readonly none: string
  readonly amount: string
  readonly state: string
  readonly answer: string
  readonly states: Readonly<Record<BankState, string>>
  readonly byItself: (day: string) => string
  readonly paid: string
  readonly return: string
  readonly transferTitle: string
  readonly text: string
  readonly textHelp: string
  readonly amountTyped: string
  readonly iban: string
  readonly transfer: string
  readonly references: string
  readonly wallet: string
  readonly arrived: string
  readonly for: string
  readonly kept: (problem: string) => string
  readonly walletNumbered: (id: bigint) => string
  readonly accounts: string
  readonly accountsHelp: string
  readonly outcome: string
  readonly answered: Readonly<Record<Outcome, string>>
  readonly transferKept: (problem: string) => string
  readonly transferArrived: (id: bigint) => string
  /** Translated refusal. Undefined: the English refusal itself. */
  readonly refused: string | undefined
}

export const bankWords: Readonly<Record<Language, BankWords>> = {
  pt: {
    title: 'Banco',
    lead: [
      'Os débitos e levantamentos ficam aqui até ao próximo dia útil dos bancos: avance o ',
      'relógio',
      ', ou responda manualmente. Um débito pago pode ser devolvido durante oito semanas.',
    ],
    debits: 'Débitos diretos',
    debtor: 'Devedor',
    payouts: 'Levantamentos',
    payoutsTitle: 'Levantamentos e devoluções por transferência',
    beneficiary: 'Beneficiário',
    none: 'Ainda não há nenhum.',
    amount: 'Montante',
    state: 'Estado',
    answer: 'Resposta',
    states: { waiting: 'à espera', paid: 'pago', returned: 'devolvido' },
    byItself: (day) => `automaticamente: ${day}`,
    paid: 'Pago',
    return: 'Devolver',
    transferTitle: 'Fazer uma transferência',
    text: 'Descritivo',
    textHelp:
      'O descritivo pode ter a referência de uma carteira. Sem ela, o montante fica em suspenso, para o operador.',
    amountTyped: 'Montante em euros',
    iban: 'IBAN de origem (opcional)',
    transfer: 'Transferir',
    references: 'Referências das carteiras',
    wallet: 'Carteira',
    arrived: 'Transferências recebidas',
    for: 'Para',
    kept: (problem) => `em suspenso: ${problem}`,
    walletNumbered: (id) => `carteira ${id}`,
    accounts: 'Contas de teste',
    accountsHelp: 'Os outros IBAN válidos pagam e recebem.',
    outcome: 'Resultado',
    answered: { paid: 'Respondido: pago.', returned: 'Respondido: devolvido.' },
    transferKept: (problem) => `O montante fica em suspenso: ${problem}.`,
    transferArrived: (id) => `A transferência chegou à carteira ${id}.`,
    refused: 'Não foi possível: verifique o montante, o descritivo e o IBAN, ou se já tinha respondido.',
  },
  en: {
    title: 'Bank',
    lead: [
      'Debits and payouts wait here for the next business day of the banks: move the ',
      'clock',
      ', or answer manually. A paid debit can be returned for eight weeks.',
    ],
    debits: 'Direct debits',
    debtor: 'Debtor',
    payouts: 'Payouts',
    payoutsTitle: 'Payouts and refunds by transfer',
    beneficiary: 'Beneficiary',
    none: 'None yet.',
    amount: 'Amount',
    state: 'State',
    answer: 'Answer',
    states: { waiting: 'waiting', paid: 'paid', returned: 'returned' },
    byItself: (day) => `automatically on ${day}`,
    paid: 'Paid',
    return: 'Return',
    transferTitle: 'Make a transfer',
    text: 'Text',
    textHelp:
      'The text can contain the reference of a wallet. Without it, the amount goes to the suspense account.',
    amountTyped: 'Amount in euros',
    iban: 'From IBAN (optional)',
    transfer: 'Transfer',
    references: 'References of wallets',
    wallet: 'Wallet',
    arrived: 'Transfers received',
    for: 'For',
    kept: (problem) => `suspense account: ${problem}`,
    walletNumbered: (id) => `wallet ${id}`,
    accounts: 'Test accounts',
    accountsHelp: 'Every other valid IBAN pays and receives.',
    outcome: 'Outcome',
    answered: { paid: 'Answered: paid.', returned: 'Answered: returned.' },
    transferKept: (problem) => `The amount is in the suspense account: ${problem}.`,
    transferArrived: (id) => `The transfer reached wallet ${id}.`,
    refused: undefined,
  },
}
