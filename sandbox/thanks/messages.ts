// Messages of the page after a checkout.
import type { Language } from '../issuer/messages.ts'

const pt = {
  paid: {
    payment: 'Pagamento concluído',
    authorization: 'Montante reservado',
    subscription: 'Subscrição ativa',
  },
  open: 'Ainda sem resultado',
  notPaid: 'Não foi pago',
  lead: 'Esta página simula a sua loja. O checkout traz o cliente para aqui com url_confirm e url_cancel.',
  reload: 'Atualizar',
  operation: 'Operação',
  id: 'Id',
  status: 'Estado',
  amount: 'Montante',
  method: 'Método',
  error: 'Erro',
  checkout: 'Checkout',
  subscription: 'Subscrição',
  ledger: 'Livro-razão',
  ledgerHelp:
    'A soma dos lançamentos é zero. O saldo negativo de uma conta de compensação (clearing) é o montante que o método nos deve.',
  noPostings: 'Sem lançamentos. Só as operações liquidadas têm lançamentos.',
  account: 'Conta',
  wallet: 'Carteira',
  callbacks: 'Callback',
  callbacksHelp: 'O corpo que o gateway envia ao comerciante, sem os dados do cliente.',
  noCallbacks: 'Ainda não há callbacks.',
  states: {
    DUE: 'a enviar',
    DELIVERED: 'entregue',
    GIVEN_UP: 'não entregue',
    VERIFIED: 'verificado pelo comerciante',
    NO_ENDPOINT: 'sem endereço',
  },
  attempts: (count: number, answer: string | undefined) =>
    `${count === 1 ? '1 tentativa' : `${count} tentativas`}${answer === undefined ? '' : `, última resposta: ${answer}`}`,
  nameAddress: 'Defina o endereço dos callbacks e pague de novo:',
  unknown: 'Este checkout não existe',
  unknownLead:
    'O gateway acrescenta checkoutid a url_confirm e url_cancel. Crie um checkout que traga o cliente para esta página.',
}

export type ThanksWords = typeof pt

export const thanksWords: Readonly<Record<Language, ThanksWords>> = {
  pt,
  en: {
    paid: {
      payment: 'Payment complete',
      authorization: 'Amount reserved',
      subscription: 'Subscription active',
    },
    open: 'No outcome yet',
    notPaid: 'It was not paid',
    lead: 'This page simulates your shop. The checkout brings the customer here with url_confirm and url_cancel.',
    reload: 'Reload',
    operation: 'Operation',
    id: 'Id',
    status: 'Status',
    amount: 'Amount',
    method: 'Method',
    error: 'Error',
    checkout: 'Checkout',
    subscription: 'Subscription',
    ledger: 'Ledger',
    ledgerHelp:
      'The postings sum to zero. The negative balance of a clearing account is the amount that the method owes us.',
    noPostings: 'No postings. Only settled operations have postings.',
    account: 'Account',
    wallet: 'Wallet',
    callbacks: 'Callback',
    callbacksHelp: 'The body that the gateway sends to the merchant, without customer data.',
    noCallbacks: 'No callbacks yet.',
    states: {
      DUE: 'waiting to be sent',
      DELIVERED: 'delivered',
      GIVEN_UP: 'not delivered',
      VERIFIED: 'verified by the merchant',
      NO_ENDPOINT: 'no address',
    },
    attempts: (count, answer) =>
      `${count === 1 ? '1 attempt' : `${count} attempts`}${answer === undefined ? '' : `, last answer: ${answer}`}`,
    nameAddress: 'Set the callback address and pay again:',
    unknown: 'This checkout does not exist',
    unknownLead:
      'The gateway adds checkoutid to url_confirm and url_cancel. Create a checkout that leads here.',
  },
}
