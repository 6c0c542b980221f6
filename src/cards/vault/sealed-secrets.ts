// What cards keep sealed under the master key, for its rotation.
import { type SealedColumn, sealedColumn } from '../../storage/index.ts'
import { associatedDataOf as attemptData } from '../attempts/sealed-card.ts'
import { dataKeyAssociatedData } from './sealing.ts'

export const cardSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: 'stored_cards',
    table: 'stored_cards',
    column: 'wrapped_key',
    key: { wallet_id: 'bigint', token: 'uuid' },
    associatedDataOf: (row) =>
      dataKeyAssociatedData({ walletId: row.wallet_id as bigint, token: String(row.token) }),
  }),
  sealedColumn({
    name: 'cards_of_attempts',
    table: 'attempts',
    column: 'sealed_card',
    key: { wallet_id: 'bigint', id: 'uuid' },
    associatedDataOf: (row) => attemptData(String(row.id)),
  }),
]
