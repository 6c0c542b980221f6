// Messages of the bank's page.
import type { Language } from '../issuer/messages.ts'

const pt = {
  title: 'Banco',
  /** The text before the link to the clock, the text of the link, and the text after it. */
  lead: [
    'Os débitos e levantamentos ficam aqui até ao próximo dia útil dos bancos: avance o ',
    'relógio',
    ', ou responda manualmente. Um débito pago pode ser devolvido durante oito semanas.',
  ] as readonly [before: string, clock: string, after: string],
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
  byItself: (day: string) => `automaticamente: ${day}`,
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
  kept: (problem: string) => `em suspenso: ${problem}`,
  walletNumbered: (id: bigint) => `carteira ${id}`,
  accounts: 'Contas de teste',
  accountsHelp: 'Os outros IBAN válidos pagam e recebem.',
  outcome: 'Resultado',
  answered: { paid: 'Respondido: pago.', returned: 'Respondido: devolvido.' },
  transferKept: (problem: string) => `O montante fica em suspenso: ${problem}.`,
  transferArrived: (id: bigint) => `A transferência chegou à carteira ${id}.`,
  /** In English the page shows the text of the refusal. */
  refused: 'Não foi possível: verifique o montante, o descritivo e o IBAN, ou se já tinha respondido.' as
    | string
    | undefined,
}

export type BankWords = typeof pt

export const bankWords: Readonly<Record<Language, BankWords>> = {
  pt,
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
