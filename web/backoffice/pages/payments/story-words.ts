// Labels of the codes in a payment's history.
import type { Dictionary } from '../../i18n/language.ts'

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>

const english: Words = {
  channel: {
    WEBSITE: 'a hosted page',
    API: 'the API',
    SCHEDULE: 'a schedule',
    BACKOFFICE: 'the operator',
    BANK: 'the bank',
    RAIL: 'the provider',
  },
  step: {
    STARTED: 'started',
    ISSUER_ASKED: 'request to the issuer',
    CHALLENGED: 'confirmation requested from the customer',
    AUTHENTICATED: 'authentication finished',
    LEFT_TO_ACQUIRER: 'handled by the acquirer',
  },
  status: {
    Y: 'the customer is authenticated',
    A: 'attempted; the issuer did not take part',
    N: 'the customer is not authenticated',
    R: 'refused by the issuer',
    U: 'not possible',
    C: 'the customer must confirm',
    I: 'for information only',
  },
  state: {
    DUE: 'to be sent',
    DELIVERED: 'delivered',
    VERIFIED: 'delivered and verified',
    GIVEN_UP: 'abandoned',
    NO_ENDPOINT: 'no callback address',
  },
  kind: {
    operation: 'a payment',
    card_stored: 'a stored card',
    mandate: 'a mandate',
    subscription: 'a subscription',
    charge: 'a charge',
    ping: 'a test',
  },
}

export const storyWords: Dictionary<Words> = {
  en: english,
  pt: {
    channel: {
      WEBSITE: 'uma página de pagamento',
      API: 'a API',
      SCHEDULE: 'um agendamento',
      BACKOFFICE: 'o operador',
      BANK: 'o banco',
      RAIL: 'o prestador',
    },
    step: {
      STARTED: 'iniciado',
      ISSUER_ASKED: 'pedido ao banco emissor',
      CHALLENGED: 'confirmação pedida ao cliente',
      AUTHENTICATED: 'autenticação terminada',
      LEFT_TO_ACQUIRER: 'tratada pelo banco adquirente',
    },
    status: {
      Y: 'o cliente está autenticado',
      A: 'tentada; o banco emissor não participou',
      N: 'o cliente não está autenticado',
      R: 'recusada pelo banco emissor',
      U: 'não foi possível',
      C: 'o cliente tem de confirmar',
      I: 'apenas para informação',
    },
    state: {
      DUE: 'por enviar',
      DELIVERED: 'entregue',
      VERIFIED: 'entregue e verificado',
      GIVEN_UP: 'abandonado',
      NO_ENDPOINT: 'sem endereço de callbacks',
    },
    kind: {
      operation: 'um pagamento',
      card_stored: 'um cartão guardado',
      mandate: 'um mandato',
      subscription: 'uma subscrição',
      charge: 'uma cobrança',
      ping: 'um teste',
    },
  },
}
