// Tables of the post box.
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'

export const boxedMails = table('sandbox.mails', {
  messageId: column.text(),
  recipient: column.text(),
  subject: column.text(),
  text: column.text(),
  html: column.text(),
  /** One header in each line. */
  headers: column.text(),
  /** More than 1 if the answer to an earlier delivery was lost. */
  times: column.integer(),
  takenAt: column.instant(),
})

export type BoxedMail = RowOf<typeof boxedMails>

/** @public Compared with the schema. */
export const deferredMails = table('sandbox.mails_deferred', { messageId: column.text() })
