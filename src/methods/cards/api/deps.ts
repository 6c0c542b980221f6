// What the card API works with.
import type { CardAcquirer } from '../../../rails/index.ts'
import type { CardAttempts } from '../attempts/attempts.ts'
import type { CardsDeps } from '../deps.ts'
import type { OpenCardPayment } from './open-store.ts'

export interface CardApiContext
  extends Pick<CardsDeps, 'core' | 'wallets' | 'operations' | 'vault' | 'fields'> {
  readonly acquirer: CardAcquirer
  readonly attempts: CardAttempts
  readonly openPayment: OpenCardPayment
}
