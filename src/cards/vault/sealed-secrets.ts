// What cards keep sealed under the master key, for its rotation.
import { type SealedColumn, sealedColumn } from '../../storage/index.ts'
import { placeOf as attemptPlace } from '../attempts/sealed-card.ts'
import { placeOf as fieldKeyPlace } from '../secure-fields/keys.ts'
import { keyPlace } from './sealing.ts'

export const cardSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: 'stored_cards',
    table: 'stored_cards',
    column: 'wrapped_key',
    key: { wallet_id: 'bigint', token: 'uuid' },
    placeOf: (row) => keyPlace({ walletId: row.wallet_id as bigint, token: String(row.token) }),
  }),
  sealedColumn({
    name: 'cards_of_attempts',
    table: 'card_attempts',
    column: 'sealed_card',
    key: { wallet_id: 'bigint', id: 'uuid' },
    placeOf: (row) => attemptPlace(String(row.id)),
  }),
  sealedColumn({
    name: 'secure_field_keys',
    table: 'secure_field_keys',
    column: 'sealed_private',
    key: { day_number: 'bigint' },
    also: ['kid'],
    placeOf: (row) => fieldKeyPlace(String(row.kid)),
  }),
]
