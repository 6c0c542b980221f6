// The words of the bank's page.
import type { Language } from '../issuer/messages.ts'
import type { BankState } from './model.ts'
import type { Outcome } from './settle.ts'

export interface BankWords {
  readonly title: string
  /** Before, on and after the link to the clock. */
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
  /** In place of a refusal, which is in English; undefined: the refusal itself. */
  readonly refused: string | undefined
}

export const bankWords: Readonly<Record<Language, BankWords>> = {
  pt: {
    title: 'Banco',
    lead: [
      'Débitos e pagamentos esperam aqui pelo próximo dia em que os bancos liquidam: avance o ',
      'relógio',
      ', ou responda à mão. Um débito pago pode ser devolvido durante oito semanas.',
    ],
    debits: 'Débitos diretos',
    debtor: 'Devedor',
    payouts: 'Pagamentos',
    payoutsTitle: 'Pagamentos e devoluções por transferência',
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
      'A referência de uma carteira pode estar em qualquer parte do descritivo. Sem ela, a transferência fica guardada para o operador.',
    amountTyped: 'Montante em euros',
    iban: 'IBAN de origem (opcional)',
    transfer: 'Transferir',
    references: 'Referências das carteiras',
    wallet: 'Carteira',
    arrived: 'Transferências recebidas',
    for: 'Para',
    kept: (problem) => `guardada: ${problem}`,
    walletNumbered: (id) => `carteira ${id}`,
    accounts: 'Contas de teste',
    accountsHelp: 'Qualquer outro IBAN válido paga e recebe.',
    outcome: 'Resultado',
    answered: { paid: 'Respondido: pago.', returned: 'Respondido: devolvido.' },
    transferKept: (problem) => `A transferência fica guardada: ${problem}.`,
    transferArrived: (id) => `A transferência chegou à carteira ${id}.`,
    refused: 'Não foi possível: verifique o montante, o descritivo e o IBAN, ou se já tinha respondido.',
  },
  en: {
    title: 'Bank',
    lead: [
      'Debits and payouts wait here for the next day on which banks settle: move the ',
      'clock',
      ', or answer by hand. A paid debit can be returned for eight weeks.',
    ],
    debits: 'Direct debits',
    debtor: 'Debtor',
    payouts: 'Payouts',
    payoutsTitle: 'Payouts and refunds by transfer',
    beneficiary: 'Beneficiary',
    none: 'None so far.',
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
      'The reference of a wallet may stand anywhere in it. A transfer whose text names no wallet is kept for the operator.',
    amountTyped: 'Amount in euros',
    iban: 'From IBAN (optional)',
    transfer: 'Transfer',
    references: 'References of wallets',
    wallet: 'Wallet',
    arrived: 'Transfers received',
    for: 'For',
    kept: (problem) => `kept: ${problem}`,
    walletNumbered: (id) => `wallet ${id}`,
    accounts: 'Test accounts',
    accountsHelp: 'Every other valid IBAN pays, and is paid.',
    outcome: 'Outcome',
    answered: { paid: 'Answered: paid.', returned: 'Answered: returned.' },
    transferKept: (problem) => `The transfer is kept: ${problem}.`,
    transferArrived: (id) => `The transfer reached wallet ${id}.`,
    refused: undefined,
  },
}
