// Messages of the phone's pages.
import type { Language } from '../../issuer/messages.ts'

const pt = {
  numbers: {
    title: 'Telemóvel',
    lead: 'A aplicação de pagamentos no telemóvel do cliente. Todos os números móveis portugueses a têm, exceto os que terminam em 99, que não estão registados. Um pedido espera pela resposta durante 4 minutos.',
    wrong: (typed: string) =>
      `${typed} não é um número de telemóvel registado. Introduza 9 algarismos com 91, 92, 93 ou 96 no início e sem 99 no fim.`,
    number: 'Número',
    open: 'Abrir',
    recent: 'Com pedidos recentes',
    waiting: (count: number) =>
      count === 0 ? 'sem pedidos' : count === 1 ? '1 pedido à espera' : `${count} pedidos à espera`,
  },
  app: 'Carteira móvel',
  sandbox: 'Sandbox: nenhum dinheiro é movimentado',
  otherNumber: 'Outro número',
  otherLanguage: 'English',
  toApprove: 'Por aprovar',
  nothingToApprove: 'Não há pedidos. Os novos aparecem aqui automaticamente.',
  asksFor: {
    payment: (merchant: string) => `${merchant} pede um pagamento`,
    authorization: (merchant: string) => `${merchant} pede uma autorização`,
    mandate: (merchant: string) => `${merchant} pede um mandato`,
    both: (merchant: string) => `${merchant} pede um pagamento e um mandato`,
  },
  mandateExplained: {
    ONECLICK: 'As próximas compras nesta loja deixam de pedir o PIN, até ao limite que definir por mês.',
    SUBSCRIPTION: 'A loja pode cobrar todos os meses, até ao limite que definir.',
  },
  paidWithMandate:
    'Paga este montante agora e autoriza a loja a cobrar todos os meses, até ao limite que definir. Aprova ambos ou nenhum.',
  firstCharge: (day: string) => `A primeira cobrança pode ser a ${day}.`,
  mandateNames: { ONECLICK: 'Compras sem PIN', SUBSCRIPTION: 'Pagamento recorrente' },
  holdExplained: 'O montante fica reservado e só é cobrado quando a loja o confirmar.',
  timeLeft: (clock: string) => `Restam ${clock}`,
  pin: 'PIN',
  pinHelp: (pin: string) => `Nesta sandbox o PIN é ${pin}.`,
  limit: 'Limite por mês (€)',
  limitHelp: 'Pode alterá-lo a qualquer momento.',
  lastDay: 'Válido até',
  approve: 'Aprovar',
  refuse: 'Recusar',
  mandates: 'Mandatos',
  noMandates: 'Ainda não tem mandatos.',
  usedOf: (used: string, limit: string) => `${used} de ${limit} usados este mês`,
  until: (day: string) => `Até ${day}`,
  mandateStates: {
    requested: 'Por aprovar',
    active: 'Ativo',
    suspended: 'Suspenso',
    ended: 'Terminado',
  },
  changeTerms: 'Alterar limite ou validade',
  save: 'Guardar',
  suspend: 'Suspender',
  resume: 'Retomar',
  cancelMandate: 'Cancelar',
  history: 'Últimos movimentos',
  requestStates: {
    approved: 'Aprovado',
    refused: 'Recusado',
    expired: 'Expirado',
    withdrawn: 'Cancelado pela loja',
  },
  withoutPin: 'Aprovado sem PIN',
  newMandate: 'Mandato',
  wrongPin: (left: number) =>
    left === 1
      ? 'O PIN está errado. Pode tentar mais 1 vez. Depois a carteira fica bloqueada.'
      : `O PIN está errado. Pode tentar mais ${left} vezes.`,
  locked: 'Carteira bloqueada.',
  lockedExplained:
    'Errou o PIN três vezes. A carteira recusa todos os pedidos até a desbloquear. Na realidade, é o banco que desbloqueia.',
  unlock: 'Desbloquear',
  wrongTerms: 'Introduza um limite entre 0,01 e 99 999,99 e uma validade que inclua a primeira cobrança.',
  tooLate: 'Já não pode responder a este pedido.',
}

export type PhoneWords = typeof pt

export const words: Readonly<Record<Language, PhoneWords>> = {
  pt,
  en: {
    numbers: {
      title: 'Phone',
      lead: 'The payment app on a customer’s phone. Every Portuguese mobile number has it, except numbers that end in 99, which are not registered. A request waits 4 minutes for its answer.',
      wrong: (typed) =>
        `${typed} is not a registered mobile number. Enter 9 digits that begin with 91, 92, 93 or 96 and do not end in 99.`,
      number: 'Number',
      open: 'Open',
      recent: 'Recent requests',
      waiting: (count) =>
        count === 0 ? 'no requests' : count === 1 ? '1 request waiting' : `${count} requests waiting`,
    },
    app: 'Mobile wallet',
    sandbox: 'Sandbox: no real money moves',
    otherNumber: 'Another number',
    otherLanguage: 'Português',
    toApprove: 'To approve',
    nothingToApprove: 'There are no requests. New ones appear here automatically.',
    asksFor: {
      payment: (merchant) => `${merchant} asks for a payment`,
      authorization: (merchant) => `${merchant} asks for an authorization`,
      mandate: (merchant) => `${merchant} asks for a mandate`,
      both: (merchant) => `${merchant} asks for a payment and a mandate`,
    },
    mandateExplained: {
      ONECLICK: 'Your next purchases in this shop need no PIN, up to the limit that you set per month.',
      SUBSCRIPTION: 'The shop may charge you every month, up to the limit that you set.',
    },
    paidWithMandate:
      'You pay this amount now and let the shop charge you every month, up to the limit that you set. You approve both, or neither.',
    firstCharge: (day) => `The first charge may be on ${day}.`,
    mandateNames: { ONECLICK: 'Purchases without PIN', SUBSCRIPTION: 'Recurring payment' },
    holdExplained: 'The amount is reserved. You are charged only when the shop confirms it.',
    timeLeft: (clock) => `${clock} left`,
    pin: 'PIN',
    pinHelp: (pin) => `In this sandbox the PIN is ${pin}.`,
    limit: 'Limit per month (€)',
    limitHelp: 'You can change it at any time.',
    lastDay: 'Valid until',
    approve: 'Approve',
    refuse: 'Refuse',
    mandates: 'Mandates',
    noMandates: 'You have no mandates yet.',
    usedOf: (used, limit) => `${used} of ${limit} used this month`,
    until: (day) => `Until ${day}`,
    mandateStates: { requested: 'To approve', active: 'Active', suspended: 'Suspended', ended: 'Ended' },
    changeTerms: 'Change limit or last day',
    save: 'Save',
    suspend: 'Suspend',
    resume: 'Resume',
    cancelMandate: 'Cancel',
    history: 'Latest activity',
    requestStates: {
      approved: 'Approved',
      refused: 'Refused',
      expired: 'Expired',
      withdrawn: 'Cancelled by the shop',
    },
    withoutPin: 'Approved without PIN',
    newMandate: 'Mandate',
    wrongPin: (left) =>
      left === 1
        ? 'The PIN is wrong. You have 1 try left. Then the wallet is locked.'
        : `The PIN is wrong. You have ${left} tries left.`,
    locked: 'The wallet is locked.',
    lockedExplained:
      'Three PINs were wrong. The wallet refuses all requests until you unlock it. In reality the bank unlocks it.',
    unlock: 'Unlock',
    wrongTerms:
      'Enter a limit between 0.01 and 99,999.99 and a last day that is not before the first charge.',
    tooLate: 'You can no longer answer this request.',
  },
}
