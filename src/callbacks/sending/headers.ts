// Headers of a callback.

import type { Clock } from '../../kernel/time.ts'
import { tracing } from '../../kernel/tracing.ts'
import type { CallbackCredentials, ClaimedDelivery } from '../model.ts'
import { basicAuthorization, signatureHeaders } from './signature.ts'

export interface HeaderDeps {
  readonly machineClock: Clock
  readonly version: string
  credentialsOf(walletId: bigint): Promise<CallbackCredentials>
}

export function headersOf(
  { machineClock, version }: HeaderDeps,
  { eventId, payload }: Pick<ClaimedDelivery, 'eventId' | 'payload'>,
  credentials: CallbackCredentials,
  secret: string,
): Record<string, string> {
  const traceparent = tracing?.traceparent()
  return {
    ...(traceparent !== undefined && { traceparent }),
    authorization: basicAuthorization(credentials.user, secret),
    'content-type': 'application/json',
    'user-agent': `Comporta/${version}`,
    ...signatureHeaders(eventId, machineClock.now(), payload, credentials),
  }
}
