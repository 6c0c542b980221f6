// The table of cards on their way into the vault.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const cardStorings = table(
  'card_storings',
  {
    /** The customer's browser is sent to an address with it. */
    id: column.uuid(),
    walletId: column.bigint(),
    requestId: column.uuid(),
    state: column.text<'PENDING' | 'COMPLETED' | 'FAIL'>(),
    urlConfirm: column.text(),
    urlCancel: column.text(),
    /** Under which the card lies in the vault, once it is stored. */
    token: column.uuid().optional(),
  },
  {
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
)

export type CardStoring = RowOf<typeof cardStorings>
