// The texts of SEPA.
import type { Locale } from '../../pages/index.ts'

const pt = {
  explained: 'O seu banco paga no próximo dia útil.',
  address: 'Os bancos exigem a morada do titular da conta',
  mandate: 'Autorização de débito direto SEPA',
  title: 'Débito direto pedido',
  detail: 'Obrigado. O seu banco paga na data indicada e a loja recebe então a confirmação.',
  acceptByEmail: (agent: string) =>
    `Obrigado. ${agent} envia-lhe agora um e-mail: aceite nele a autorização. O pagamento só começa depois.`,
  account: 'Conta',
  mandateId: 'Referência da autorização',
  collected: 'Data do débito',
  closing: 'Não precisa de esperar. Pode fechar esta página.',
  print: 'Imprimir',
}

export const debitTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
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
