// Codes of a payment's story in words. What is not here is shown as it is.
import type { Dictionary } from '../../i18n/language.ts'

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>

const english: Words = {
  channel: {
    WEBSITE: 'a hosted page',
    API: 'a program',
    SCHEDULE: 'a schedule',
    BACKOFFICE: 'the operator',
    BANK: 'the bank',
    RAIL: 'the provider',
  },
  step: {
    STARTED: 'begun',
    ISSUER_ASKED: 'the issuer was asked',
    CHALLENGED: 'the customer was asked to confirm',
    AUTHENTICATED: 'authentication is over',
    LEFT_TO_ACQUIRER: 'left to the acquirer',
  },
  status: {
    Y: 'the customer is authenticated',
    A: 'tried; the issuer did not take part',
    N: 'the customer is not authenticated',
    R: 'refused by the issuer',
    U: 'could not be done',
    C: 'the customer has to confirm',
    I: 'for information only',
  },
  state: {
    DUE: 'to be sent',
    DELIVERED: 'delivered',
    VERIFIED: 'delivered and verified',
    GIVEN_UP: 'given up',
    NO_ENDPOINT: 'there is no address to send it to',
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
      API: 'um programa',
      SCHEDULE: 'um agendamento',
      BACKOFFICE: 'o operador',
      BANK: 'o banco',
      RAIL: 'o prestador',
    },
    step: {
      STARTED: 'iniciado',
      ISSUER_ASKED: 'o emissor foi consultado',
      CHALLENGED: 'pediu-se ao cliente que confirmasse',
      AUTHENTICATED: 'autenticação terminada',
      LEFT_TO_ACQUIRER: 'deixada ao adquirente',
    },
    status: {
      Y: 'o cliente está autenticado',
      A: 'tentada; o emissor não participou',
      N: 'o cliente não está autenticado',
      R: 'recusada pelo emissor',
      U: 'não foi possível',
      C: 'o cliente tem de confirmar',
      I: 'apenas para informação',
    },
    state: {
      DUE: 'por enviar',
      DELIVERED: 'entregue',
      VERIFIED: 'entregue e verificado',
      GIVEN_UP: 'abandonado',
      NO_ENDPOINT: 'não há endereço para onde enviar',
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
