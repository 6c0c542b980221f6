// Forms of each method on the checkout page.
import { balancePanel } from '../src/methods/balance/page.ts'
import { cardPanel } from '../src/methods/cards/panel.ts'
import { mbwayPanel } from '../src/methods/mbway/phone-form.ts'
import { referencePanel } from '../src/methods/multibanco/page.ts'
import { paypalPanel } from '../src/methods/paypal/page.ts'
import { debitPanel } from '../src/methods/sepa-debit/page.ts'

const mandateText =
  'By accepting, you authorize Livraria do Cais to send instructions to your bank to debit your account, and your bank to debit it accordingly. You can ask your bank for a refund within eight weeks of the debit.'

export const methodPanels = {
  CC: cardPanel({}),
  MB: referencePanel,
  MBWAY: mbwayPanel,
  PAYPAL: paypalPanel,
  WALLET: balancePanel,
  SEPA: debitPanel({ creditor: { name: 'Comporta', creditorId: 'PT31ZZZ123456' }, mandateText }),
} as const
