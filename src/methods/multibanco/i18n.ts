// The texts of MB: panel and reference page.
import type { Locale, LocalMoment } from '../../pages/index.ts'

const pt = {
  explained: 'Recebe uma entidade e uma referência para pagar em qualquer Multibanco ou no homebanking.',
  submit: 'Obter a referência',
  unavailable: {
    title: 'Ainda não há referência',
    detail: 'O banco não respondeu. Tente de novo dentro de alguns minutos ou escolha outro método.',
  },
  title: 'Pague com esta referência',
  how: 'No Multibanco ou no homebanking, em pagamento de serviços ou compras.',
  entity: 'Entidade',
  ref: 'Referência',
  amount: 'Montante',
  beneficiary: 'Beneficiário',
  from: 'Pagar a partir de',
  until: 'Pagar até',
  moment: ({ time, day }: LocalMoment) => `${day ?? 'hoje'}, ${time}`,
  copy: 'Copiar',
  copied: 'Copiado',
  copyOf: (name: string) => `Copiar ${name}`,
  waiting: 'À espera do pagamento. Esta página atualiza-se automaticamente. Também a pode fechar.',
  print: 'Imprimir',
  otherMethod: 'Pagar de outra forma',
}

export const referenceTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    explained: 'You get an entity and a reference to pay at any ATM or in your home banking.',
    submit: 'Get the reference',
    unavailable: {
      title: 'No reference yet',
      detail: 'The bank did not answer. Try again in a few minutes or choose another method.',
    },
    title: 'Pay with this reference',
    how: 'At an ATM or in your home banking, under payment of services or purchases.',
    entity: 'Entity',
    ref: 'Reference',
    amount: 'Amount',
    beneficiary: 'Beneficiary',
    from: 'Pay from',
    until: 'Pay by',
    moment: ({ time, day }) => `${day ?? 'today'}, ${time}`,
    copy: 'Copy',
    copied: 'Copied',
    copyOf: (name) => `Copy ${name}`,
    waiting: 'Waiting for the payment. This page updates automatically. You can also close it.',
    print: 'Print',
    otherMethod: 'Pay another way',
  },
}
