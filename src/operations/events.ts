// What the merchant is told when an operation changes its status.
import { type NewEvent, operationCallback } from '../callbacks/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Operation } from './model.ts'

/** The event of `operation` having reached its status (SPEC.md Events; CONTRACT section 16). */
export function operationEvent(operation: Operation, wallet: Wallet, eventId: string): NewEvent {
  const url = operation.callbackUrl
  return {
    id: eventId,
    walletId: operation.walletId,
    kind: 'operation',
    subject: operation.id,
    event: operation.status,
    payload: operationCallback({ ...operation, event: operation.status, operationStatus: operation.status }),
    url,
    endpoint: url === undefined ? 'wallet' : 'operation',
    hasEndpoint: url !== undefined || wallet.callbackUrl !== null,
    createdAt: operation.modifiedAt,
  }
}
