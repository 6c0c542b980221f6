// The table of the request log.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** Requests of one wallet answered within a moment. A row for each would cost ten times as much. */
export const requestBlocks = table('request_log_blocks', {
  walletId: column.bigint(),
  /** The largest tid of the block. */
  lastId: column.uuid(),
  firstId: column.uuid(),
  requests: column.integer(),
  /** Requests with a status of 400 or more. */
  failed: column.integer(),
  answeredUntil: column.instant(),
  /** JSON of the requests, newest first; compressed by zstd, or plain in rows of an older version. */
  packed: column.bytes(),
})
export type RequestBlock = RowOf<typeof requestBlocks>
