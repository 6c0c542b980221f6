// Secrets of further endpoints: a Basic password and a signing secret each, sealed at rest.
import { type Randomness, randomBase62 } from '../../kernel/random.ts'
import { type Keyring, open, seal } from '../../kernel/sealing.ts'
import type { Instant } from '../../kernel/time.ts'
import { type SealedColumn, sealedColumn } from '../../storage/index.ts'
import type { CallbackCredentials } from '../model.ts'
import type { EndpointSecrets } from './model.ts'

const passwordLength = 40
/** 192 bits, the minimum of Standard Webhooks, and base64 without padding. */
const signingSecretBytes = 24

/** Names of the secrets in the API. */
export const secretKinds = ['callback_secret', 'callback_signing_secret'] as const
export type SecretKind = (typeof secretKinds)[number]

export interface NewSecret {
  readonly secret: string
  readonly sealed: Uint8Array
}

interface Sealing {
  readonly keyring: Keyring
  readonly random: Randomness
}

export function newSecret({ keyring, random }: Sealing, kind: SecretKind, endpointId: string): NewSecret {
  const secret =
    kind === 'callback_secret'
      ? randomBase62(random, passwordLength)
      : `whsec_${Buffer.from(random.bytes(signingSecretBytes)).toString('base64')}`
  return { secret, sealed: seal(keyring, secret, associatedData(kind, endpointId), random) }
}

/** The user name of Basic authentication is the id of the endpoint. */
export function credentialsOfEndpoint(
  keyring: Keyring,
  endpointId: string,
  secrets: EndpointSecrets,
  now: Instant,
): CallbackCredentials {
  const opened = (
    kind: SecretKind,
    current: Uint8Array,
    previous: Uint8Array | undefined,
    until: Instant | undefined,
  ) =>
    [current, ...(previous !== undefined && until !== undefined && now < until ? [previous] : [])].map(
      (sealed) => open(keyring, sealed, associatedData(kind, endpointId)).toString(),
    )
  const { passwordSealed, passwordPreviousSealed, passwordPreviousUntil } = secrets
  const { signingSealed, signingPreviousSealed, signingPreviousUntil } = secrets
  const [secret = '', previousSecret] = opened(
    'callback_secret',
    passwordSealed,
    passwordPreviousSealed,
    passwordPreviousUntil,
  )
  const signingSecrets = opened(
    'callback_signing_secret',
    signingSealed,
    signingPreviousSealed,
    signingPreviousUntil,
  )
  return { user: endpointId, secret, ...(previousSecret && { previousSecret }), signingSecrets }
}

function associatedData(kind: SecretKind, endpointId: string): string {
  return `callback endpoint ${endpointId} ${kind}`
}

export const endpointSealedColumns: readonly SealedColumn[] = [
  sealedSecret('endpoint_callback_secrets', 'password_sealed', 'callback_secret'),
  sealedSecret('previous_endpoint_callback_secrets', 'password_previous_sealed', 'callback_secret'),
  sealedSecret('endpoint_signing_secrets', 'signing_sealed', 'callback_signing_secret'),
  sealedSecret('previous_endpoint_signing_secrets', 'signing_previous_sealed', 'callback_signing_secret'),
]

function sealedSecret(name: string, column: string, kind: SecretKind): SealedColumn {
  return sealedColumn({
    name,
    table: 'callback_endpoints',
    column,
    key: { id: 'uuid' },
    associatedDataOf: (row) => associatedData(kind, String(row.id)),
  })
}
