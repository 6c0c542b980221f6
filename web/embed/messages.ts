// Messages between the shop's page and the checkout in its frame.

/** From the frame to its parent, which answers with a {@link Greeting} and a port. Contains no data. */
export const hello = 'comporta-checkout-hello'
export const greeting = 'comporta-checkout-greeting'

/** From the shop's page to the frame, with one end of a channel. */
export interface Greeting {
  readonly type: typeof greeting
  /** Whether the browser goes to `url_confirm` some seconds after the payment. */
  readonly forwards: boolean
}

export type FrameEvent = 'ready' | 'pending' | 'completed' | 'canceled' | 'expired' | 'failed'

/** From the frame to the shop's page. No message contains data of the customer or of the card. */
export type FrameMessage =
  | { readonly event: FrameEvent }
  | { readonly height: number }
  /** The address for the whole window: of a bank, of a provider or of the shop. */
  | { readonly leave: string }
  /** The customer pressed Escape. */
  | { readonly close: true }
