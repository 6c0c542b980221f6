// One panel per method a customer may choose: a new method is one file and one line here.
import type { PageMethod } from '../model.ts'
import { balancePanel } from './balance-panel.ts'
import { cardPanel } from './card-panel.ts'
import { debitPanel } from './debit-panel.ts'
import { mbwayPanel } from './mbway-panel.ts'
import type { CheckoutPage, PageField } from './model.ts'
import { onlineWalletPanel } from './online-wallet-panel.ts'
import { referencePanel } from './reference-panel.ts'

export interface PanelContext {
  readonly page: CheckoutPage
  /** Whether this method's panel is the open one, which errors of the page are about. */
  readonly chosen: boolean
}

export interface MethodPanel {
  /** The form of this method, HTML. */
  render(context: PanelContext): string
  /** Id of one of its inputs, for the error summary to link to. */
  fieldId(name: PageField): string
}

export const methodPanels: Readonly<Record<PageMethod, MethodPanel>> = {
  CC: cardPanel,
  MB: referencePanel,
  PAYPAL: onlineWalletPanel,
  WALLET: balancePanel,
  SEPA: debitPanel,
  MBWAY: mbwayPanel,
}
