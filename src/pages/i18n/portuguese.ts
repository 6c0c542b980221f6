// The hosted pages in European Portuguese.
import { refusals } from './refusals.ts'
import type { Texts } from './shape.ts'

const nothingCharged = 'Não lhe foi cobrado nada.'

export const portuguese: Texts = {
  languageName: 'Português',
  switchLanguage: 'Mudar de língua',
  secureFooter: 'Pagamento seguro com',

  pageTitle: {
    payment: (merchant) => `Pagar a ${merchant}`,
    authorization: (merchant) => `Reservar para ${merchant}`,
    subscription: (merchant) => `Subscrever ${merchant}`,
  },
  titleOnError: (title) => `Erro: ${title}`,
  amountLabel: { payment: 'Total a pagar', authorization: 'Valor a reservar', subscription: 'Autoriza até' },
  kindExplained: {
    payment: undefined,
    authorization: 'O valor fica reservado. Só é cobrado quando a loja o confirmar.',
    subscription: 'Agora não é cobrado nada. O seu banco apenas confirma a sua identidade.',
  },
  itemsSummary: (count) => (count === 1 ? '1 artigo' : `${count} artigos`),
  quantity: (count, each) => `${String(count).replace('.', ',')} × ${each}`.trim(),
  payableUntil: ({ time, day }) =>
    `Válido até ${day === undefined ? 'hoje' : day}, às ${time} (hora de Lisboa)`,

  otherMethod: 'Pagar de outra forma',
  chooseMethod: 'Como quer pagar?',
  labels: {
    number: 'Número do cartão',
    expiry: 'Validade',
    vcode: 'Código de segurança',
    name: 'Nome no cartão',
    fullname: 'Nome',
    email: 'E-mail',
    phone: 'Telemóvel',
    pin: 'PIN',
    holder: 'Titular da conta',
    iban: 'IBAN',
    mandate: 'Aceito esta autorização de débito direto',
    street: 'Rua e número da porta',
    postalcode: 'Código postal',
    city: 'Localidade',
    country: 'País',
  },
  hints: {
    vcode: '3 algarismos no verso',
    phone: 'Com indicativo, por exemplo +351\u00a0912\u00a0345\u00a0678',
    pin: '4 a 8 algarismos; três errados bloqueiam o saldo durante 24 horas',
    iban: 'De uma conta em euros no espaço SEPA',
  },
  problems: {
    number: {
      missing: 'Introduza o número do cartão.',
      invalid: 'Este número de cartão não está correto. Confirme os algarismos.',
    },
    expiry: {
      missing: 'Introduza a validade do cartão.',
      invalid: 'Introduza o mês e o ano da validade, por exemplo 08 / 29.',
      expired: 'Este cartão já não é válido. Confirme a data ou use outro cartão.',
      ends_early: 'Este cartão expira antes de a subscrição começar. Confirme a data ou use outro cartão.',
    },
    vcode: {
      missing: 'Introduza o código de segurança.',
      invalid: 'O código tem 3 algarismos, no verso (American Express: 4, na frente).',
    },
    name: {
      missing: 'Indique o nome que está no cartão.',
      invalid: 'Indique o nome como está no cartão, sem o número.',
    },
    fullname: { missing: 'Indique o seu nome.', invalid: 'Indique o seu nome, sem números de cartão.' },
    email: {
      missing: 'Indique o seu e-mail.',
      invalid: 'Indique um e-mail completo, por exemplo nome@exemplo.pt.',
    },
    phone: {
      missing: 'Indique o seu número de telemóvel.',
      invalid: 'Indique um número completo, por exemplo +351\u00a0912\u00a0345\u00a0678.',
      unregistered: 'Este número não tem MB WAY. Confirme os algarismos ou escolha outra forma de pagar.',
    },
    pin: { missing: 'Introduza o seu PIN.', invalid: 'O PIN tem 4 a 8 algarismos.' },
    holder: {
      missing: 'Indique o nome do titular da conta.',
      invalid: 'Indique o nome tal como está registado no banco, sem números.',
    },
    iban: {
      missing: 'Introduza o seu IBAN.',
      invalid: 'Este IBAN não está correto. Confirme as letras e os algarismos.',
      not_sepa: 'Esta conta fica fora do espaço SEPA e não pode ser debitada. Use outra conta.',
    },
    mandate: { missing: 'Aceite a autorização. Sem ela, o seu banco não pode pagar.' },
    street: {
      missing: 'Indique a rua e o número da porta.',
      invalid: 'Indique uma rua, sem números de cartão.',
    },
    postalcode: {
      missing: 'Indique o código postal.',
      invalid: 'Este código postal não está correto. Em Portugal tem a forma 1000-001.',
    },
    city: {
      missing: 'Indique a localidade.',
      invalid: 'Indique o nome da localidade, sem números de cartão.',
    },
    country: { missing: 'Escolha o país.', invalid: 'Escolha um país da lista.' },
  },
  problemSummary: 'Falta corrigir',

  submit: {
    payment: (amount) => `Pagar ${amount}`,
    authorization: (amount) => `Reservar ${amount}`,
    subscription: () => 'Aceitar',
  },
  submitting: 'A processar…',
  cancel: 'Cancelar e voltar à loja',

  ...refusals.pt,
  tryAgain: { title: 'O pagamento não foi feito', detail: `${nothingCharged} Tente de novo.` },
  tooManyCards: {
    title: 'Foram tentados demasiados cartões',
    detail: `${nothingCharged} Escolha outro método ou volte à loja.`,
  },

  late: {
    open: {
      title: 'A sua última resposta não foi usada',
      detail: `A página de onde veio estava desatualizada. ${nothingCharged} Pode pagar aqui.`,
    },
    waiting: 'A sua última resposta não foi usada: o pagamento já está a decorrer, como aqui se mostra.',
    done: {
      payment:
        'A sua última resposta não foi usada: o pagamento já tinha sido feito. Só lhe foi cobrado uma vez.',
      authorization: 'A sua última resposta não foi usada: o valor já tinha sido reservado, e só uma vez.',
      subscription: 'A sua última resposta não foi usada: a subscrição já tinha sido aceite.',
    },
    ended: 'A sua última resposta chegou tarde demais e não foi usada.',
  },

  waiting: {
    title: 'A confirmar com o seu banco',
    detail: 'Costuma demorar poucos segundos. Não feche esta página nem pague de novo.',
  },
  waitingLong:
    'Está a demorar mais do que o habitual. Continuamos a consultar o banco. O resultado aparece aqui.',
  waitingRefresh: 'Atualizar',
  timeLeft: (clock) => `Tempo restante: ${clock}`,
  timeLeftSpoken: { minutes: 'Faltam {minutes} minutos.', seconds: 'Faltam {seconds} segundos.' },

  proceed: 'Continuar',

  beyondLimits: {
    title: 'De momento esta loja não pode receber este pagamento',
    detail: `${nothingCharged} Tente de novo amanhã ou pergunte à loja.`,
  },

  outcomes: {
    paid: { title: 'Pagamento feito', detail: 'Obrigado. A loja recebe a confirmação.' },
    reserved: {
      title: 'Valor reservado',
      detail: 'Obrigado. Só é cobrado quando a loja o confirmar.',
    },
    accepted: { title: 'Subscrição aceite', detail: 'Obrigado. Agora não foi cobrado nada.' },
    failed: {
      title: 'O pagamento não foi feito',
      detail: `${nothingCharged} Volte à loja para tentar de novo.`,
    },
    cancelled: { title: 'Pagamento cancelado', detail: nothingCharged },
    expired: {
      title: 'O prazo para pagar terminou',
      detail: `${nothingCharged} Volte à loja para começar de novo.`,
    },
    voided: { title: 'A loja anulou este pagamento', detail: nothingCharged },
    suspended: {
      title: 'Esta loja não aceita pagamentos de momento',
      detail: `${nothingCharged} Volte à loja e pergunte quando pode pagar.`,
    },
    too_many_cards: {
      title: 'Foram tentados demasiados cartões',
      detail: `${nothingCharged} Aqui já não é possível tentar outro cartão. Volte à loja para começar de novo.`,
    },
  },
  paidWith: (brand, last4) => `${brand} terminado em ${last4}`,
  receipt: {
    amount: { payment: 'Valor pago', authorization: 'Valor reservado', subscription: 'Pago agora' },
    paidTo: 'Loja',
    method: 'Método',
    date: 'Data',
    moment: (day, time) => `${day}, às ${time} (hora de Lisboa)`,
    number: {
      payment: 'Número do pagamento',
      authorization: 'Número da reserva',
      subscription: 'Número da subscrição',
    },
    print: 'Imprimir',
  },
  backToShop: 'Voltar à loja',
  forwarding: 'Vai voltar à loja dentro de {seconds} s.',
  stayHere: 'Ficar nesta página',
  stayByKey: 'Prima Escape para ficar.',
  staying: 'Vai ficar nesta página.',

  problemsPages: {
    not_found: {
      title: 'Não há nada para pagar aqui',
      detail: 'O link pode estar incompleto ou já não ser válido. Volte à loja e comece de novo.',
    },
    internal: {
      title: 'Algo correu mal do nosso lado',
      detail: 'Já fomos avisados. Se estava a pagar, volte à página do pagamento para ver o resultado.',
    },
    unavailable: {
      title: 'Serviço indisponível de momento',
      detail: 'Tente de novo dentro de alguns minutos.',
    },
    too_many_requests: { title: 'Demasiados pedidos', detail: 'Espere um minuto e tente de novo.' },
    bad_request: {
      title: 'Não percebemos este pedido',
      detail: 'Volte à página anterior e tente de novo.',
    },
  },
  requestId: 'Número do pedido',
  retry: 'Tentar de novo',
}
