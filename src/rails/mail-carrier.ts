// The contract of mail carriers: an SMTP server, or the sandbox's post box.

export interface OutgoingMail {
  /** The whole mail in the format of RFC 5322. */
  readonly raw: Buffer
  readonly envelope: { readonly from: string; readonly to: string }
  /** The id is the same in all attempts to send the mail. */
  readonly messageId: string
  /** True if it contains a link with which its reader joins a team or sets a password. */
  readonly opensAccount: boolean
  /** The parts of `raw`, for carriers that show it. */
  readonly parts: { readonly subject: string; readonly text: string; readonly html: string }
}

export type CarrierAnswer =
  | { readonly kind: 'taken'; readonly status: number; readonly text: string }
  /** The server answered 5xx, so a later attempt cannot succeed. */
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | { readonly kind: 'failed'; readonly status?: number | undefined; readonly text: string }

export interface MailCarrier {
  /** Never throws. If its answer is lost, a mail may arrive twice. */
  send(mail: OutgoingMail): Promise<CarrierAnswer>
}
