// Messages of the chaos page and its banner.
import type { Language } from '../issuer/messages.ts'
import type { Fault } from './model.ts'

const pt = {
  title: 'Caos',
  lead: 'Faça falhar uma rede de pagamentos e veja como o seu programa reage. O gateway reage como em produção: os pagamentos ficam pendentes, ele volta a perguntar e as contas ficam certas.',
  now: 'Agora',
  allWell: 'Não há falhas ativas.',
  makeWell: 'Terminar todas',
  madeWell:
    'As falhas terminaram. Os pagamentos pendentes concluem-se dentro de momentos. É mais rápido avançar o relógio cinco minutos.',
  kept: 'Guardado. Aplica-se a partir da próxima chamada.',
  end: 'Terminar',
  rail: 'Rede',
  fault: 'Falha',
  whose: 'Comerciante',
  everybody: 'todos',
  wallet: (id: bigint) => `carteira ${id}`,
  howLong: 'Duração',
  calls: (left: number) => (left === 1 ? 'a próxima chamada' : `as próximas ${left} chamadas`),
  until: (time: string) => `até ${time}`,
  untilEnded: 'sem limite',
  start: 'Começar',
  startTitle: 'Provocar uma falha',
  seconds: 'Segundos, se lento',
  status: 'Estado HTTP, se erro',
  walletField: 'Carteira do comerciante',
  walletHelp: 'Vazio: todos os comerciantes. Com um número, só essa carteira.',
  callsField: 'Número de chamadas',
  minutesField: 'Minutos',
  limitHelp: 'Vazios: sem limite.',
  optional: 'opcional',
  /** In English the page shows the text of the refusal. */
  refused: 'Indique de 1 a 60 segundos, um estado de 400 a 599, até 1000 chamadas e até 10 080 minutos.' as
    | string
    | undefined,
  oneRequest: 'Num único pedido',
  oneRequestHelp: 'Com este cabeçalho, a falha só afeta esse pedido. Em produção não tem efeito.',
  rails: {
    acquirer: 'Banco adquirente (cartões)',
    issuer: 'Banco emissor (3-D Secure)',
    mobile_wallet: 'MB WAY',
    online_wallet: 'Carteira online (PayPal)',
    references: 'Rede de referências',
    bank: 'Banco (débitos e levantamentos)',
    callbacks: 'Callbacks',
  },
  kinds: { slow: 'lento', silent: 'sem resposta', down: 'inacessível', error: 'responde com erro' },
  kindsExplained: {
    slow: 'executa o pedido e responde segundos depois',
    silent: 'executa o pedido e nunca responde; um callback perde-se',
    down: 'recusa a ligação',
    error: 'responde com um estado HTTP e não executa o pedido',
  },
  inWords: (fault: Fault, kind: string) =>
    fault.kind === 'slow'
      ? `${kind} (${fault.seconds} s)`
      : fault.kind === 'error'
        ? `responde ${fault.status}`
        : kind,
  banner: 'Caos ligado:',
}

export type ChaosWords = typeof pt

export const chaosWords: Readonly<Record<Language, ChaosWords>> = {
  pt,
  en: {
    title: 'Chaos',
    lead: 'Make a payment network fail and see how your program reacts. The gateway reacts as in production: payments stay pending, it asks again, and the accounts stay correct.',
    now: 'Now',
    allWell: 'No active faults.',
    makeWell: 'End all',
    madeWell:
      'The faults have ended. Pending payments complete within moments. It is faster to move the clock by five minutes.',
    kept: 'Saved. It applies from the next call.',
    end: 'End',
    rail: 'Rail',
    fault: 'Fault',
    whose: 'Merchant',
    everybody: 'all',
    wallet: (id) => `wallet ${id}`,
    howLong: 'Duration',
    calls: (left) => (left === 1 ? 'the next call' : `the next ${left} calls`),
    until: (time) => `until ${time}`,
    untilEnded: 'no limit',
    start: 'Start',
    startTitle: 'Start a fault',
    seconds: 'Seconds, if slow',
    status: 'HTTP status, if it answers with an error',
    walletField: 'Wallet of the merchant',
    walletHelp: 'Empty: all merchants. With a number: only this wallet.',
    callsField: 'Number of calls',
    minutesField: 'Minutes',
    limitHelp: 'Both empty: no limit.',
    optional: 'optional',
    refused: undefined,
    oneRequest: 'In one request only',
    oneRequestHelp: 'With this header the fault affects only that request. It has no effect in production.',
    rails: {
      acquirer: 'Acquirer (cards)',
      issuer: 'Issuer (3-D Secure)',
      mobile_wallet: 'MB WAY',
      online_wallet: 'Online wallet (PayPal)',
      references: 'Reference network',
      bank: 'Bank (debits and transfers)',
      callbacks: 'Callbacks',
    },
    kinds: { slow: 'slow', silent: 'silent', down: 'down', error: 'answers with an error' },
    kindsExplained: {
      slow: 'executes the request and answers seconds later',
      silent: 'executes the request and never answers; a callback is lost',
      down: 'refuses the connection',
      error: 'answers with an HTTP status and does not execute the request',
    },
    inWords: (fault, kind) =>
      fault.kind === 'slow'
        ? `${kind} (${fault.seconds} s)`
        : fault.kind === 'error'
          ? `answers ${fault.status}`
          : kind,
    banner: 'Chaos is on:',
  },
}
