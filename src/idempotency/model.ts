// The table of requests: who asked for what under which key, and the first answers.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const requests = table(
  'requests',
  {
    requestId: column.uuid(),
    fingerprint: column.bytes(),
    resourceId: column.uuid(),
    href: column.text(),
    /** The first answer. Without one the request is being worked on, or its process died. */
    answer: column
      .embedded({ status: column.integer().named('http_status'), body: column.text().named('answer') })
      .optional(),
    createdAt: column.instant(),
  },
  { walletId: column.bigint() },
)

/** A request as it is kept. */
export type KeptRequest = RowOf<typeof requests>

/** The first answer to a request, repeated byte for byte. */
export type FirstAnswer = NonNullable<KeptRequest['answer']>
