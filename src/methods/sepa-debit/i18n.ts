// The texts of SEPA.
import type { Locale } from '../../pages/index.ts'

interface DebitTexts {
  readonly explained: string
  readonly address: string
  readonly mandate: string
  readonly title: string
  readonly detail: string
  readonly acceptByEmail: (agent: string) => string
  readonly account: string
  readonly mandateId: string
  readonly collected: string
  readonly closing: string
  readonly print: string
}

export const debitTexts: Readonly<Record<Locale, DebitTexts>> = {
  pt: {
    explained: 'O seu banco paga no próximo dia útil.',
    address: 'Os bancos exigem a morada do titular da conta',
    mandate: 'Autorização de débito direto SEPA',
    title: 'Débito direto pedido',
    detail: 'Obrigado. O seu banco paga na data indicada e a loja recebe então a confirmação.',
    acceptByEmail: (agent) =>
      `Obrigado. ${agent} envia-lhe agora um e-mail: aceite nele a autorização. O pagamento só começa depois.`,
    account: 'Conta',
    mandateId: 'Referência da autorização',
    collected: 'Data do débito',
    closing: 'Não precisa de esperar. Pode fechar esta página.',
    print: 'Imprimir',
  },
  en: {
    explained: 'Your bank pays on the next business day.',
    address: 'The banks require the address of the account holder',
    mandate: 'SEPA direct debit mandate',
    title: 'Direct debit ordered',
    detail: 'Thank you. Your bank pays on the day below, and then the shop receives the confirmation.',
    acceptByEmail: (agent) =>
      `Thank you. ${agent} sends you an e-mail now: accept the mandate in it. The payment starts only then.`,
    account: 'Account',
    mandateId: 'Mandate reference',
    collected: 'Day of the debit',
    closing: 'You do not need to wait. You can close this page.',
    print: 'Print',
  },
}
