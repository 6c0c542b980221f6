// One panel per method a customer may choose: a new method is one file and one line here.
import type { PageMethod } from '../../methods/list.ts'
import { balancePanel } from './balance-panel.ts'
import { cardPanel } from './card-panel.ts'
import { debitPanel } from './debit-panel.ts'
import { mbwayPanel } from './mbway-panel.ts'
import { onlineWalletPanel } from './online-wallet-panel.ts'
import type { MethodPanel } from './panel.ts'
import { referencePanel } from './reference-panel.ts'

export const methodPanels: Readonly<Record<PageMethod, MethodPanel>> = {
  CC: cardPanel,
  MB: referencePanel,
  PAYPAL: onlineWalletPanel,
  WALLET: balancePanel,
  SEPA: debitPanel,
  MBWAY: mbwayPanel,
}
