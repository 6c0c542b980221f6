// Messages of the sandbox's own pages.
import type { Language } from '../issuer/messages.ts'

export const clockSteps = ['PT5M', 'PT1H', 'P1D', 'P1W', 'P1M'] as const
export type ClockStep = (typeof clockSteps)[number]

const pt = {
  landing: {
    title: 'A Comporta está a funcionar',
    lead: 'Um gateway de pagamentos em modo sandbox: aceita pagamentos de teste e não movimenta dinheiro.',
    shop: ['Loja de demonstração', 'Faça compras e veja cada pedido à API e cada callback.'] as readonly [
      name: string,
      says: string,
    ],
    sandbox: [
      'Sandbox',
      'Telemóvel, Multibanco, bancos e relógio de teste, e os cartões de teste.',
    ] as readonly [name: string, says: string],
    docs: ['Documentação', 'Guias passo a passo e a referência da API.'] as readonly [
      name: string,
      says: string,
    ],
    first: 'O seu primeiro pagamento',
    firstHelp: 'Crie um checkout e abra no browser o url_redirect da resposta.',
    keys: 'As chaves de API dos comerciantes de demonstração estão em demo.json, na pasta DATA_DIR do gateway.',
  },
  front: {
    title: 'O mundo exterior, simulado',
    lead: 'Aqui não se movimenta dinheiro. O gateway simula os bancos e o tempo, para que possa testar todos os resultados.',
    now: (time: string) => `Para o gateway, agora é ${time}.`,
    cards: 'Cartões de teste',
    cardsHelp:
      'Qualquer validade futura e o código de segurança 123 (American Express: 1234). Todos os outros números válidos são aprovados.',
    card: 'Cartão',
    outcome: 'Resultado',
  },
  issuer: {
    title: 'Banco emissor',
    lead: 'Pedidos de código em aberto, do mais recente para o mais antigo.',
    nobody: 'Não há pedidos de código.',
    table: 'Pedidos de código',
    merchant: 'Comerciante',
    amount: 'Montante',
    card: 'Cartão',
    code: 'Código',
    page: 'Página',
    open: 'Abrir',
    openFor: (merchant: string) => ` para ${merchant}`,
  },
  clock: {
    title: 'Relógio',
    lead: 'Esta é a hora do gateway. Só pode avançar. O gateway executa primeiro o que entretanto venceu: referências e pedidos de código expiram, callbacks são enviados.',
    steps: {
      PT5M: '+ 5 minutos',
      PT1H: '+ 1 hora',
      P1D: '+ 1 dia',
      P1W: '+ 1 semana',
      P1M: '+ 1 mês',
    },
    toMoment: 'Até uma data',
    moment: 'Data e hora',
    momentHelp: 'ISO 8601; sem fuso horário é UTC.',
    bySpan: 'Por um período',
    span: 'Duração',
    spanHelp: 'ISO 8601: P1DT2H é um dia e duas horas, P1M a mesma hora do próximo mês.',
    move: 'Avançar',
    moved: 'O relógio avançou.',
    nothingDue: 'O relógio avançou. Nada estava pendente.',
    more: 'O gateway ainda está a executar o resto.',
    /** In English the page shows the text of the refusal. */
    refused: 'O relógio não avançou. Indique uma data futura ou uma duração em ISO 8601.' as
      | string
      | undefined,
  },
}

export type PageWords = typeof pt

export const pageWords: Readonly<Record<Language, PageWords>> = {
  pt,
  en: {
    landing: {
      title: 'Comporta is running',
      lead: 'A payment gateway in sandbox mode: it takes test payments and moves no money.',
      shop: ['Demo shop', 'Buy as a customer and see every API request and every callback.'],
      sandbox: ['Sandbox', 'The test phone, ATM, banks and clock, and the test cards.'],
      docs: ['Documentation', 'Guides step by step, and the API reference.'],
      first: 'Your first payment',
      firstHelp: 'Create a checkout. Open the url_redirect of the answer in a browser.',
      keys: "The API keys of the demo merchants are in demo.json, in the gateway's DATA_DIR folder.",
    },
    front: {
      title: 'The outside world, simulated',
      lead: 'Nothing here moves money. The gateway simulates banks and time, so that you can test every outcome.',
      now: (time) => `The gateway's time is ${time}.`,
      cards: 'Test cards',
      cardsHelp:
        'Any future expiry, and security code 123 (American Express: 1234). Every other valid number is approved.',
      card: 'Card',
      outcome: 'Outcome',
    },
    issuer: {
      title: 'Issuer',
      lead: 'Open requests for a code, newest first.',
      nobody: 'No open requests.',
      table: 'Open challenges',
      merchant: 'Merchant',
      amount: 'Amount',
      card: 'Card',
      code: 'Code',
      page: 'Page',
      open: 'Open',
      openFor: (merchant) => ` for ${merchant}`,
    },
    clock: {
      title: 'Clock',
      lead: 'This is the gateway’s time. It only moves forward. The gateway runs all due work first: references and challenges expire, callbacks are sent.',
      steps: { PT5M: '+ 5 minutes', PT1H: '+ 1 hour', P1D: '+ 1 day', P1W: '+ 1 week', P1M: '+ 1 month' },
      toMoment: 'To a date',
      moment: 'Date and time',
      momentHelp: 'ISO 8601; without a time zone it is UTC.',
      bySpan: 'By a duration',
      span: 'Duration',
      spanHelp: 'ISO 8601: P1DT2H is a day and two hours, P1M the same time next month.',
      move: 'Move',
      moved: 'Time moved.',
      nothingDue: 'Time moved. Nothing was due.',
      more: 'The gateway is still running the rest.',
      refused: undefined,
    },
  },
}
