// Texts of mail, in Portuguese and English.
import type { Language } from '../model.ts'

export interface MailMessages {
  readonly labels: Readonly<
    Record<
      | 'amount'
      | 'shop'
      | 'date'
      | 'method'
      | 'card'
      | 'invoice'
      | 'number'
      | 'entity'
      | 'reference'
      | 'deadline'
      | 'paidOn'
      | 'validUntil'
      | 'reasonOfFailure'
      | 'account'
      | 'subscription',
      string
    >
  >
  readonly at: (day: string, time: string) => string
  readonly contact: string
  readonly stop: string
  readonly receipt: Message<[shop: string, amount: string]>
  readonly reference: Message<[shop: string, amount: string]>
  readonly reminder: Message<[shop: string, deadline: string]>
  readonly link: Message<[shop: string, what: string]> & {
    readonly button: string
    readonly until: (moment: string) => string
  }
  readonly chargeFailed: Message<[shop: string, amount: string]> & {
    readonly button: string
    readonly retried: (day: string) => string
  }
  readonly cardExpiring: Message<[shop: string, card: string, month: string]>
  readonly refund: Message<[shop: string, amount: string]>
  readonly refundPage: Message<[shop: string, amount: string]> & {
    readonly button: string
    readonly until: (moment: string) => string
  }
  readonly dispute: Message<[amount: string]>
  readonly payout: Message<[amount: string]>
  readonly invitation: Message<[team: string]> & {
    readonly button: string
    readonly until: (moment: string) => string
  }
  readonly password: Message<[]> & { readonly button: string; readonly until: (moment: string) => string }
  readonly operators: string
  readonly declines: Readonly<Record<string, string>>
}

interface Message<Facts extends readonly string[]> {
  readonly title: (...facts: Facts) => string
  readonly lead: (...facts: Facts) => string
  readonly notes: readonly string[]
  readonly reason: (...facts: Facts) => string
}

const customerOfPt = (shop: string) => `Recebe este e-mail porque fez um pagamento ou um pedido em ${shop}.`
const customerOfEn = (shop: string) => `You get this mail because you paid or ordered at ${shop}.`
const keepSecretPt = 'A ligação é só para si: não a reencaminhe.'
const keepSecretEn = 'The link is for you alone: do not forward it.'

const portuguese: MailMessages = {
  labels: {
    amount: 'Valor',
    shop: 'Loja',
    date: 'Data',
    method: 'Meio de pagamento',
    card: 'Cartão',
    invoice: 'Documento',
    number: 'Número da operação',
    entity: 'Entidade',
    reference: 'Referência',
    deadline: 'Pagar até',
    paidOn: 'Pago em',
    validUntil: 'Válido até',
    reasonOfFailure: 'Motivo',
    account: 'Conta',
    subscription: 'Subscrição',
  },
  at: (day, time) => `${day}, ${time}`,
  contact: 'Dúvidas? Contacte',
  stop: 'Não receber mais e-mails deste tipo',
  receipt: {
    title: (shop, amount) => `Pagamento de ${amount} a ${shop}`,
    lead: (shop, amount) => `Recebemos o seu pagamento de ${amount} a ${shop}. Obrigado.`,
    notes: ['Este e-mail confirma o pagamento. Não é uma fatura.'],
    reason: customerOfPt,
  },
  reference: {
    title: (shop, amount) => `Referência Multibanco para pagar ${amount} a ${shop}`,
    lead: (shop, amount) =>
      `Pague ${amount} a ${shop} numa caixa Multibanco ou na aplicação do seu banco, em «Pagamento de serviços».`,
    notes: [],
    reason: customerOfPt,
  },
  reminder: {
    title: (shop, deadline) => `Pague a ${shop} até ${deadline}`,
    lead: (shop) =>
      `A referência Multibanco da sua encomenda em ${shop} termina em breve e ainda não foi paga.`,
    notes: ['Se já pagou nos últimos minutos, ignore este e-mail.'],
    reason: customerOfPt,
  },
  link: {
    title: (shop, what) => `${shop}: ${what}`,
    lead: (shop) => `${shop} enviou-lhe uma ligação para pagar.`,
    button: 'Pagar',
    until: (moment) => `A ligação é válida até ${moment}.`,
    notes: ['Se não espera este pedido, ignore este e-mail e contacte a loja.'],
    reason: (shop) => `Recebe este e-mail porque ${shop} indicou este endereço.`,
  },
  chargeFailed: {
    title: (shop) => `Não foi possível cobrar a sua subscrição em ${shop}`,
    lead: (shop, amount) => `A cobrança de ${amount} da sua subscrição em ${shop} falhou. Nada foi cobrado.`,
    button: 'Tentar de novo agora',
    retried: (day) => `A próxima tentativa é a ${day}. Confirme que tem saldo.`,
    notes: ['Contacte a loja para pagar de outra forma.'],
    reason: (shop) => `Recebe este e-mail porque tem uma subscrição em ${shop}.`,
  },
  cardExpiring: {
    title: (_shop, card) => `O cartão ${card} vai expirar`,
    lead: (shop, card, month) =>
      `A sua subscrição em ${shop} é paga com o cartão ${card}, que é válido até ao fim de ${month}.`,
    notes: ['Contacte a loja para indicar um cartão novo. Nunca envie o número do cartão por e-mail.'],
    reason: (shop) => `Recebe este e-mail porque tem uma subscrição em ${shop}.`,
  },
  refund: {
    title: (shop, amount) => `${shop} devolveu-lhe ${amount}`,
    lead: (shop, amount) => `${shop} devolveu-lhe ${amount}. O dinheiro vai a caminho.`,
    notes: ['O seu banco pode demorar alguns dias a mostrar o valor.'],
    reason: customerOfPt,
  },
  refundPage: {
    title: (shop, amount) => `${shop} quer devolver-lhe ${amount}`,
    lead: (shop, amount) => `Indique a conta bancária em que quer receber os ${amount} de ${shop}.`,
    button: 'Indicar a conta',
    until: (moment) => `A ligação é válida até ${moment} e funciona uma vez. ${keepSecretPt}`,
    notes: ['A página pede o IBAN e o titular da conta. Nunca pede cartões, códigos nem palavras-passe.'],
    reason: customerOfPt,
  },
  dispute: {
    title: (amount) => `Pagamento contestado: ${amount}`,
    lead: (amount) => `Um cliente contestou um pagamento, e ${amount} saíram do seu saldo.`,
    notes: [
      'Reúna já as provas: a fatura, a prova de entrega e as mensagens do cliente. O prazo para responder está na conta do seu prestador de pagamentos.',
    ],
    reason: () => 'Recebe este e-mail porque este é o endereço da carteira.',
  },
  payout: {
    title: (amount) => `Transferência de ${amount} enviada`,
    lead: (amount) => `Enviámos ${amount} para a sua conta bancária.`,
    notes: ['O seu banco pode demorar um dia útil a mostrar o valor.'],
    reason: () => 'Recebe este e-mail porque este é o endereço da carteira.',
  },
  invitation: {
    title: (team) => `Convite para a equipa de ${team}`,
    lead: (team) => `Foi convidado para a equipa de ${team}. Aceite o convite para criar a sua conta.`,
    button: 'Aceitar o convite',
    until: (moment) => `O convite é válido até ${moment}. ${keepSecretPt}`,
    notes: ['Se não espera este convite, ignore este e-mail.'],
    reason: (team) => `Recebe este e-mail porque ${team} indicou este endereço.`,
  },
  password: {
    title: () => 'Nova palavra-passe',
    lead: () => 'Alguém com autorização pediu uma nova palavra-passe para a sua conta.',
    button: 'Escolher a palavra-passe',
    until: (moment) => `A ligação é válida até ${moment}. ${keepSecretPt}`,
    notes: ['Se não a pediu, fale com o responsável da sua equipa: a palavra-passe atual continua válida.'],
    reason: () => 'Recebe este e-mail porque tem uma conta no backoffice.',
  },
  operators: 'operadores',
  declines: {
    insufficient_funds: 'Saldo insuficiente',
    expired_card: 'O cartão expirou',
    card_expired: 'O cartão expirou',
    limit_exceeded: 'Acima do limite do cartão',
    lost_or_stolen: 'O cartão não pode ser usado',
    cancelled: 'Cancelado',
    expired: 'Sem resposta a tempo',
  },
}

const english: MailMessages = {
  labels: {
    amount: 'Amount',
    shop: 'Shop',
    date: 'Date',
    method: 'Payment method',
    card: 'Card',
    invoice: 'Document',
    number: 'Operation number',
    entity: 'Entity',
    reference: 'Reference',
    deadline: 'Pay by',
    paidOn: 'Paid on',
    validUntil: 'Valid until',
    reasonOfFailure: 'Reason',
    account: 'Account',
    subscription: 'Subscription',
  },
  at: (day, time) => `${day}, ${time}`,
  contact: 'Questions? Contact',
  stop: 'Stop mails of this kind',
  receipt: {
    title: (shop, amount) => `Payment of ${amount} to ${shop}`,
    lead: (shop, amount) => `We received your payment of ${amount} to ${shop}. Thank you.`,
    notes: ['This mail confirms the payment. It is not an invoice.'],
    reason: customerOfEn,
  },
  reference: {
    title: (shop, amount) => `Multibanco reference to pay ${amount} to ${shop}`,
    lead: (shop, amount) =>
      `Pay ${amount} to ${shop} at a Multibanco cash machine or in your bank’s app, under “Pagamento de serviços”.`,
    notes: [],
    reason: customerOfEn,
  },
  reminder: {
    title: (shop, deadline) => `Pay ${shop} by ${deadline}`,
    lead: (shop) => `The Multibanco reference of your order at ${shop} ends soon and is not paid yet.`,
    notes: ['If you paid within the last minutes, ignore this mail.'],
    reason: customerOfEn,
  },
  link: {
    title: (shop, what) => `${shop}: ${what}`,
    lead: (shop) => `${shop} sent you a link to pay.`,
    button: 'Pay',
    until: (moment) => `The link is valid until ${moment}.`,
    notes: ['If you do not expect this request, ignore this mail and contact the shop.'],
    reason: (shop) => `You get this mail because ${shop} entered this address.`,
  },
  chargeFailed: {
    title: (shop) => `Your subscription at ${shop} could not be charged`,
    lead: (shop, amount) =>
      `The charge of ${amount} for your subscription at ${shop} failed. You were not charged.`,
    button: 'Try again now',
    retried: (day) => `The next attempt is on ${day}. Check that there is enough money.`,
    notes: ['Contact the shop to pay in another way.'],
    reason: (shop) => `You get this mail because you have a subscription at ${shop}.`,
  },
  cardExpiring: {
    title: (_shop, card) => `Card ${card} is about to expire`,
    lead: (shop, card, month) =>
      `You pay for your subscription at ${shop} with card ${card}, which is valid until the end of ${month}.`,
    notes: ['Contact the shop to use a new card. Never send a card number by mail.'],
    reason: (shop) => `You get this mail because you have a subscription at ${shop}.`,
  },
  refund: {
    title: (shop, amount) => `${shop} refunded ${amount}`,
    lead: (shop, amount) => `${shop} refunded ${amount} to you. The money is on its way.`,
    notes: ['Your bank may take some days to show it.'],
    reason: customerOfEn,
  },
  refundPage: {
    title: (shop, amount) => `${shop} wants to refund ${amount} to you`,
    lead: (shop, amount) => `Enter the bank account on which you want to get ${amount} from ${shop}.`,
    button: 'Enter the account',
    until: (moment) => `The link is valid until ${moment} and works once. ${keepSecretEn}`,
    notes: [
      'The page asks for the IBAN and the account holder. It never asks for cards, codes or passwords.',
    ],
    reason: customerOfEn,
  },
  dispute: {
    title: (amount) => `Disputed payment: ${amount}`,
    lead: (amount) => `A customer disputed a payment, and ${amount} left your balance.`,
    notes: [
      'Collect the evidence now: the invoice, the proof of delivery and the messages of the customer. Your account at the payment provider shows the deadline for your answer.',
    ],
    reason: () => 'You get this mail because this is the address of the wallet.',
  },
  payout: {
    title: (amount) => `Payout of ${amount} sent`,
    lead: (amount) => `We sent ${amount} to your bank account.`,
    notes: ['Your bank may take a business day to show it.'],
    reason: () => 'You get this mail because this is the address of the wallet.',
  },
  invitation: {
    title: (team) => `Invitation to the team of ${team}`,
    lead: (team) => `You are invited to the team of ${team}. Accept the invitation to create your account.`,
    button: 'Accept the invitation',
    until: (moment) => `The invitation is valid until ${moment}. ${keepSecretEn}`,
    notes: ['If you do not expect this invitation, ignore this mail.'],
    reason: (team) => `You get this mail because ${team} entered this address.`,
  },
  password: {
    title: () => 'New password',
    lead: () => 'Somebody with permission asked for a new password for your account.',
    button: 'Choose a password',
    until: (moment) => `The link is valid until ${moment}. ${keepSecretEn}`,
    notes: ['If you did not ask for it, talk to the owner of your team. Your current password stays valid.'],
    reason: () => 'You get this mail because you have an account in the backoffice.',
  },
  operators: 'the operators',
  declines: {
    insufficient_funds: 'Not enough money',
    expired_card: 'The card has expired',
    card_expired: 'The card has expired',
    limit_exceeded: 'Above the limit of the card',
    lost_or_stolen: 'The card cannot be used',
    cancelled: 'Cancelled',
    expired: 'No answer in time',
  },
}

export const mailMessages: Readonly<Record<Language, MailMessages>> = { pt: portuguese, en: english }
