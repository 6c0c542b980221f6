// The words of the chaos page and of the banner that says what is on.
import type { Language } from '../issuer/messages.ts'
import type { Trouble, TroubledRail, TroubleKind } from './model.ts'

export interface ChaosWords {
  readonly title: string
  readonly lead: string
  readonly now: string
  readonly allWell: string
  readonly makeWell: string
  readonly madeWell: string
  readonly kept: string
  readonly end: string
  readonly rail: string
  readonly fault: string
  readonly whose: string
  readonly everybody: string
  readonly wallet: (id: bigint) => string
  readonly howLong: string
  readonly calls: (left: number) => string
  readonly until: (time: string) => string
  readonly untilEnded: string
  readonly start: string
  readonly startTitle: string
  readonly seconds: string
  readonly status: string
  readonly walletField: string
  readonly walletHelp: string
  readonly callsField: string
  readonly minutesField: string
  readonly limitHelp: string
  readonly optional: string
  readonly refused: string | undefined
  readonly oneRequest: string
  readonly oneRequestHelp: string
  readonly rails: Readonly<Record<TroubledRail, string>>
  readonly kinds: Readonly<Record<TroubleKind, string>>
  readonly kindsExplained: Readonly<Record<TroubleKind, string>>
  /** @param kind the word of its kind */
  readonly inWords: (fault: Trouble, kind: string) => string
  readonly banner: string
}

export const chaosWords: Readonly<Record<Language, ChaosWords>> = {
  pt: {
    title: 'Caos',
    lead: 'Faça falhar o que está fora do gateway e veja o que o seu programa recebe. O gateway trata a falha como trataria uma verdadeira: os pagamentos ficam pendentes, pergunta outra vez, e o dinheiro fica certo.',
    now: 'Agora',
    allWell: 'Está tudo bem.',
    makeWell: 'Tudo bem outra vez',
    madeWell:
      'Tudo bem outra vez. O que ficou por decidir resolve-se dentro de momentos; avançar o relógio cinco minutos é mais rápido.',
    kept: 'Guardado. Vale a partir da próxima chamada.',
    end: 'Terminar',
    rail: 'O quê',
    fault: 'Falha',
    whose: 'De quem',
    everybody: 'todos',
    wallet: (id) => `carteira ${id}`,
    howLong: 'Até quando',
    calls: (left) => (left === 1 ? 'a próxima chamada' : `as próximas ${left} chamadas`),
    until: (time) => `até ${time}`,
    untilEnded: 'até terminar',
    start: 'Começar',
    startTitle: 'Provocar uma falha',
    seconds: 'Segundos, se lento',
    status: 'Estado HTTP, se erro',
    walletField: 'Carteira do comerciante',
    walletHelp: 'Vazio: de todos os comerciantes. Com um número, os testes dos outros não dão por nada.',
    callsField: 'Número de chamadas',
    minutesField: 'Minutos',
    limitHelp: 'Vazios: até terminar.',
    optional: 'opcional',
    refused:
      'Não foi possível: de 1 a 60 segundos, um estado de 400 a 599, até 1000 chamadas e 10 080 minutos.',
    oneRequest: 'Só num pedido',
    oneRequestHelp:
      'Com este cabeçalho, a falha só atinge as chamadas desse pedido. Em produção não tem efeito.',
    rails: {
      acquirer: 'Banco do comerciante (cartões)',
      issuer: 'Banco emissor (3-D Secure)',
      mobile_wallet: 'MB WAY',
      online_wallet: 'Carteira online (PayPal)',
      references: 'Rede de referências',
      bank: 'Banco (débitos e transferências)',
      callbacks: 'Callbacks',
    },
    kinds: { slow: 'lento', silent: 'sem resposta', down: 'em baixo', error: 'responde com erro' },
    kindsExplained: {
      slow: 'faz o que lhe pedem e responde segundos depois',
      silent: 'faz o que lhe pedem e nunca responde; um callback perde-se',
      down: 'recusa a ligação: nada lhe chega',
      error: 'responde com um estado HTTP e não faz nada',
    },
    inWords: (fault, kind) =>
      fault.kind === 'slow'
        ? `${kind} (${fault.seconds} s)`
        : fault.kind === 'error'
          ? `responde ${fault.status}`
          : kind,
    banner: 'Caos ligado:',
  },
  en: {
    title: 'Chaos',
    lead: 'Have what is outside the gateway fail, and see what your program gets. The gateway meets the trouble as it would meet real trouble: payments stay pending, it asks again, and the money stays right.',
    now: 'Now',
    allWell: 'All is well.',
    makeWell: 'All well again',
    madeWell:
      'All well again. What was left undecided resolves within moments; moving the clock by five minutes is faster.',
    kept: 'Kept. It counts from the next call on.',
    end: 'End',
    rail: 'What',
    fault: 'Trouble',
    whose: 'Whose',
    everybody: 'everybody’s',
    wallet: (id) => `wallet ${id}`,
    howLong: 'How long',
    calls: (left) => (left === 1 ? 'the next call' : `the next ${left} calls`),
    until: (time) => `until ${time}`,
    untilEnded: 'until ended',
    start: 'Begin',
    startTitle: 'Have something fail',
    seconds: 'Seconds, if slow',
    status: 'HTTP status, if it answers with an error',
    walletField: 'Wallet of the merchant',
    walletHelp: 'Empty: of every merchant. With a number, tests of other merchants notice nothing.',
    callsField: 'Number of calls',
    minutesField: 'Minutes',
    limitHelp: 'Both empty: until ended.',
    optional: 'optional',
    refused: undefined,
    oneRequest: 'In one request only',
    oneRequestHelp:
      'With this header the trouble concerns the calls of that request alone. It has no effect in production.',
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
      slow: 'does what it is asked, and answers seconds later',
      silent: 'does what it is asked, and never answers; a callback is lost',
      down: 'refuses the connection: nothing arrives',
      error: 'answers with an HTTP status, and does nothing',
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
