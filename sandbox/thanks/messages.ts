// The words of the page after a checkout.
import type { Language } from '../issuer/messages.ts'
import type { Receipt, SentCallback } from './model.ts'

export interface ThanksWords {
  readonly paid: Readonly<Record<Receipt['kind'], string>>
  readonly open: string
  readonly notPaid: string
  readonly lead: string
  readonly reload: string
  readonly operation: string
  readonly id: string
  readonly status: string
  readonly amount: string
  readonly method: string
  readonly error: string
  readonly checkout: string
  readonly subscription: string
  readonly ledger: string
  readonly ledgerHelp: string
  readonly noPostings: string
  readonly account: string
  readonly wallet: string
  readonly callbacks: string
  readonly callbacksHelp: string
  readonly noCallbacks: string
  readonly states: Readonly<Record<SentCallback['state'], string>>
  readonly attempts: (count: number, answer: string | undefined) => string
  readonly nameAddress: string
  readonly unknown: string
  readonly unknownLead: string
}

export const thanksWords: Readonly<Record<Language, ThanksWords>> = {
  pt: {
    paid: {
      payment: 'Obrigado: está pago',
      authorization: 'Obrigado: está reservado',
      subscription: 'Obrigado: está subscrito',
    },
    open: 'Ainda sem resultado',
    notPaid: 'Não foi pago',
    lead: 'Esta página faz de conta que é a sua loja: é para aqui que url_confirm e url_cancel do checkout trazem o cliente.',
    reload: 'Atualizar',
    operation: 'A operação',
    id: 'Id',
    status: 'Estado',
    amount: 'Montante',
    method: 'Método',
    error: 'Erro',
    checkout: 'Checkout',
    subscription: 'Subscrição',
    ledger: 'No livro-razão',
    ledgerHelp:
      'Cada movimento soma zero. Uma conta de compensação (clearing) é negativa pelo que o método ainda nos deve.',
    noPostings: 'Sem movimentos: só o que é liquidado se regista no livro-razão.',
    account: 'Conta',
    wallet: 'Carteira',
    callbacks: 'O callback',
    callbacksHelp: 'O que o gateway envia ao comerciante. Dados do cliente não aparecem aqui.',
    noCallbacks: 'Ainda não há callbacks.',
    states: {
      DUE: 'a enviar',
      DELIVERED: 'entregue',
      GIVEN_UP: 'não entregue',
      VERIFIED: 'verificado pelo comerciante',
      NO_ENDPOINT: 'sem endereço para onde enviar',
    },
    attempts: (count, answer) =>
      `${count === 1 ? '1 tentativa' : `${count} tentativas`}${answer === undefined ? '' : `, última resposta: ${answer}`}`,
    nameAddress: 'Indique para onde enviar callbacks e pague outra vez:',
    unknown: 'Este checkout não existe',
    unknownLead:
      'O gateway acrescenta checkoutid a url_confirm e url_cancel. Crie um checkout que traga o cliente para esta página.',
  },
  en: {
    paid: {
      payment: 'Thank you: it is paid',
      authorization: 'Thank you: it is reserved',
      subscription: 'Thank you: you are subscribed',
    },
    open: 'No outcome yet',
    notPaid: 'It was not paid',
    lead: 'This page stands in for your shop: url_confirm and url_cancel of the checkout bring the customer here.',
    reload: 'Reload',
    operation: 'The operation',
    id: 'Id',
    status: 'Status',
    amount: 'Amount',
    method: 'Method',
    error: 'Error',
    checkout: 'Checkout',
    subscription: 'Subscription',
    ledger: 'In the ledger',
    ledgerHelp: 'Each posting sums to zero. A clearing account is negative by what the method still owes us.',
    noPostings: 'No postings: only what is settled is posted to the ledger.',
    account: 'Account',
    wallet: 'Wallet',
    callbacks: 'The callback',
    callbacksHelp: 'What the gateway sends to the merchant. Customer data is left out here.',
    noCallbacks: 'No callbacks yet.',
    states: {
      DUE: 'waiting to be sent',
      DELIVERED: 'delivered',
      GIVEN_UP: 'not delivered',
      VERIFIED: 'verified by the merchant',
      NO_ENDPOINT: 'no address to send it to',
    },
    attempts: (count, answer) =>
      `${count === 1 ? '1 attempt' : `${count} attempts`}${answer === undefined ? '' : `, last answer: ${answer}`}`,
    nameAddress: 'Name the address that callbacks are sent to, and pay again:',
    unknown: 'There is no such checkout',
    unknownLead:
      'The gateway adds checkoutid to url_confirm and url_cancel. Create a checkout that leads here.',
  },
}
