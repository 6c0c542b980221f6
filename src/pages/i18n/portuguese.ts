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
    subscription: 'Agora não é cobrado nada. O seu banco só confirma que é o próprio.',
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
    phone: 'Telefone',
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
      missing: 'Escreva o número do cartão.',
      invalid: 'Este número de cartão não está certo. Confirme os algarismos.',
    },
    expiry: {
      missing: 'Escreva a validade do cartão.',
      invalid: 'Escreva a validade com mês e ano, por exemplo 08 / 29.',
      expired: 'Este cartão já não está válido. Confirme a data ou use outro cartão.',
      ends_early: 'Este cartão termina antes de a subscrição começar. Confirme a data ou use outro cartão.',
    },
    vcode: {
      missing: 'Escreva o código de segurança.',
      invalid: 'O código tem 3 algarismos, no verso (American Express: 4, na frente).',
    },
    name: {
      missing: 'Escreva o nome que está no cartão.',
      invalid: 'Escreva o nome como está no cartão, sem o número.',
    },
    fullname: { missing: 'Escreva o seu nome.', invalid: 'Escreva o seu nome, sem números de cartão.' },
    email: {
      missing: 'Escreva o seu e-mail.',
      invalid: 'Escreva um e-mail completo, por exemplo nome@exemplo.pt.',
    },
    phone: {
      missing: 'Escreva o seu número de telefone.',
      invalid: 'Escreva um número completo, por exemplo +351\u00a0912\u00a0345\u00a0678.',
      unregistered: 'Este número não tem MB WAY. Confirme os algarismos ou escolha outra forma de pagar.',
    },
    pin: { missing: 'Escreva o seu PIN.', invalid: 'O PIN tem 4 a 8 algarismos.' },
    holder: {
      missing: 'Escreva o nome do titular da conta.',
      invalid: 'Escreva o nome como o seu banco o conhece, sem números.',
    },
    iban: {
      missing: 'Escreva o seu IBAN.',
      invalid: 'Este IBAN não está certo. Confirme as letras e os algarismos.',
      not_sepa: 'Esta conta fica fora do espaço SEPA e não pode ser debitada. Use outra conta.',
    },
    mandate: { missing: 'Aceite a autorização, para que o seu banco possa pagar.' },
    street: {
      missing: 'Escreva a rua e o número da porta.',
      invalid: 'Escreva uma rua, sem números de cartão.',
    },
    postalcode: {
      missing: 'Escreva o código postal.',
      invalid: 'Este código postal não está certo. Em Portugal é como 1000-001.',
    },
    city: {
      missing: 'Escreva a localidade.',
      invalid: 'Escreva o nome da localidade, sem números de cartão.',
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
    'Está a demorar mais do que o habitual. Continuamos a perguntar ao banco; o resultado aparece aqui.',
  waitingRefresh: 'Ver se já está',
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
  forwarding: 'Volta à loja dentro de {seconds} s.',
  stayHere: 'Ficar nesta página',
  stayByKey: 'Prima Escape para ficar.',
  staying: 'Fica nesta página.',

  problemsPages: {
    not_found: {
      title: 'Não há nada para pagar aqui',
      detail: 'A ligação pode estar incompleta ou já não servir. Volte à loja e comece de novo.',
    },
    internal: {
      title: 'Algo correu mal do nosso lado',
      detail: 'Já ficámos a saber. Se estava a pagar, volte à página do pagamento para ver como ficou.',
    },
    unavailable: {
      title: 'Estamos indisponíveis por um momento',
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
