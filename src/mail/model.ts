// Mail: kinds, states and tables.
import type { Instant } from '../kernel/time.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** Kinds of mail to the customer. They are off until the merchant turns them on. */
const customerKinds = [
  'receipt',
  'reference',
  'reference_reminder',
  'payment_link',
  'charge_failed',
  'card_expiring',
  'refund',
  'refund_page',
] as const
/** Kinds of mail to the wallet's address. They are off until the merchant turns them on. */
const merchantKinds = ['dispute', 'payout'] as const
/** Kinds of mail to people of the backoffice. They are on until the merchant turns them off. */
export const accountKinds = ['invitation', 'password'] as const
export const mailKinds = [...customerKinds, ...merchantKinds, ...accountKinds] as const

export type Language = 'pt' | 'en'

export type MailKind = (typeof mailKinds)[number]
export type AccountKind = (typeof accountKinds)[number]
export type Audience = 'customer' | 'merchant' | 'team'

export function audienceOf(kind: MailKind): Audience {
  if ((customerKinds as readonly string[]).includes(kind)) return 'customer'
  return (merchantKinds as readonly string[]).includes(kind) ? 'merchant' : 'team'
}

export function isOnByDefault(kind: MailKind): boolean {
  return audienceOf(kind) === 'team'
}

/** REFUSED: the SMTP server refused it for good. SKIPPED: its content is no longer true, or there is no address. */
export const mailStates = ['WAITING', 'SENT', 'REFUSED', 'GIVEN_UP', 'SKIPPED'] as const
export type MailState = (typeof mailStates)[number]

/** Facts that cannot be read from another table when the mail is sent. */
export interface MailDetails {
  readonly url?: string
  readonly description?: string
  /** In cents, as text. */
  readonly amount?: string | undefined
  /** A moment in ISO 8601. */
  readonly expires?: string | undefined
  readonly language?: Language | undefined
  /** Lifetime of the link. It is not a date, because links follow the machine's clock, and mail the gateway's. */
  readonly lifeMs?: number
}

export const mails = table(
  'mails',
  {
    walletId: column.bigint(),
    id: column.uuid(),
    kind: column.text<MailKind>(),
    /** The operation, charge, subscription, link or account that the mail is about. */
    subject: column.uuid(),
    state: column.text<MailState>(),
    recipient: column.text().optional(),
    language: column.text<Language>().optional(),
    title: column.text().optional(),
    attempts: column.integer(),
    dueAt: column.instant().optional(),
    /** The SMTP server's code, such as 550. */
    lastStatus: column.integer().optional(),
    lastError: column.text().optional(),
    createdAt: column.instant(),
    finishedAt: column.instant().optional(),
  },
  {
    details: column.json<MailDetails>().optional(),
    /** The sealed details of an account's link, which is a secret. They are deleted once the mail is sent. */
    sealed: column.bytes().optional(),
    /** Distinguishes mails of one kind about one subject, such as those of two references. */
    occasion: column.text(),
  },
)

export type Mail = RowOf<typeof mails>

/** A mail that this process may send until its lease ends. */
export type ClaimedMail = Mail & {
  readonly leasedUntil: Instant
  readonly details?: MailDetails | undefined
  readonly sealed?: Uint8Array | undefined
  readonly occasion: string
}

export const mailSwitches = table('mail_switches', {
  walletId: column.bigint(),
  kind: column.text<MailKind>(),
  isOn: column.boolean(),
  modifiedAt: column.instant(),
})

/** Languages of customers. @public A test compares all tables with the schema. */
export const mailLanguages = table('mail_languages', {
  walletId: column.bigint(),
  /** The operation that the customer paid on a page. */
  subject: column.uuid(),
  language: column.text<Language>(),
})

/** People who want no more mail of a kind from a merchant. */
export const mailStops = table('mail_stops', {
  walletId: column.bigint(),
  kind: column.text<MailKind>(),
  /** SHA-256 of the address in lower case. */
  digest: column.bytes(),
  stoppedAt: column.instant(),
})

/** The address and name of `MAIL_FROM`. */
export interface From {
  readonly address: string
  readonly name?: string | undefined
}
