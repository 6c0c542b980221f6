// The contract of mail carriers: an SMTP server, or the sandbox's post box.

export interface OutgoingMail {
  /** In the format of RFC 5322. */
  readonly raw: Buffer
  readonly envelope: { readonly from: string; readonly to: string }
  /** Identifies the mail across attempts. */
  readonly messageId: string
  /** True if it contains a link with which its reader joins a team or sets a password. */
  readonly opensAccount: boolean
  /** The parts of `raw`, for carriers that show it. */
  readonly parts: { readonly subject: string; readonly text: string; readonly html: string }
}

export type CarrierAnswer =
  | { readonly kind: 'taken'; readonly status: number; readonly text: string }
  /** 5xx: no later attempt can succeed. */
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | { readonly kind: 'failed'; readonly status?: number | undefined; readonly text: string }

export interface MailCarrier {
  /** Never throws. A mail may arrive twice if its answer was lost. */
  send(mail: OutgoingMail): Promise<CarrierAnswer>
}
