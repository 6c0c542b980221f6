// The parts of a message, before its layout.

export interface Content {
  readonly title: string
  readonly lead: string
  readonly rows: readonly (readonly [label: string, value: string])[]
  readonly button?: { readonly text: string; readonly url: string } | undefined
  readonly notes: readonly string[]
  /** The reason why the reader gets this mail. */
  readonly reason: string
}

/** The sender on the page: the merchant, or the gateway. */
export interface Sender {
  readonly name: string
  readonly colour: string
  readonly contacts: readonly string[]
}
