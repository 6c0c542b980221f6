// One panel per method a customer may choose: a new method is one file and one line here.
import type { PageMethod } from '../model.ts'
import { cardPanel } from './card-panel.ts'
import { mbwayPanel } from './mbway-panel.ts'
import type { CheckoutPage, PageField } from './model.ts'
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
  MBWAY: mbwayPanel,
}
