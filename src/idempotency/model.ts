// The table of requests with keys, and their first answers.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const requests = table(
  'requests',
  {
    requestId: column.uuid(),
    fingerprint: column.bytes(),
    resourceId: column.uuid(),
    href: column.text(),
    /** The first answer. It is absent while the request is in progress, or if its process died. */
    answer: column
      .embedded({ status: column.integer().named('http_status'), body: column.text().named('answer') })
      .optional(),
    createdAt: column.instant(),
  },
  { walletId: column.bigint() },
)

export type KeptRequest = RowOf<typeof requests>

export type FirstAnswer = NonNullable<KeptRequest['answer']>
