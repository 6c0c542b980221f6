// What a panel of the checkout page is: the form of one method.
import type { CheckoutPage, PageField } from '../model.ts'

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
