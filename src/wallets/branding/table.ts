// The table of merchants' logos.
import { column, table } from '../../storage/tables/table.ts'

/**
 * Pictures of merchants.
 *
 * @public Compared with the schema.
 */
export const walletLogos = table('wallet_logos', {
  walletId: column.bigint(),
  file: column.text(),
  type: column.text(),
  content: column.bytes(),
  createdAt: column.instant(),
})
