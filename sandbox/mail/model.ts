// Tables of the post box.
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'

export const boxedMails = table('sandbox.mails', {
  messageId: column.text(),
  recipient: column.text(),
  subject: column.text(),
  /** {@link MailContent} as JSON. It is encrypted, because a mail to the team can contain a link that signs in. */
  sealed: column.bytes(),
  /** More than 1 if the answer to an earlier delivery was lost. */
  times: column.integer(),
  takenAt: column.instant(),
  /** Such mail is shown only to requests from this machine: its link would give a stranger a merchant's rights. */
  opensAccount: column.boolean(),
})

export interface MailContent {
  readonly text: string
  readonly html: string
  /** One header per line. */
  readonly headers: string
}

export type BoxedMail = Omit<RowOf<typeof boxedMails>, 'sealed'> & MailContent

/** @public Compared with the schema. */
export const deferredMails = table('sandbox.mails_deferred', { messageId: column.text() })
