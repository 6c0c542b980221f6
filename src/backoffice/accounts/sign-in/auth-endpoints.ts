// The served endpoints of the account library.
import { type TObject, Type } from 'typebox'
import type { AppRequest } from '../../../http/index.ts'
import { passwordLengthMax } from '../passwords.ts'

export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Body fields that the library gets. All others are dropped. */
  readonly body?: TObject
  readonly always?: Readonly<Record<string, unknown>>
  readonly summary?: string
  /** The endpoint changes how a person signs in, so it needs a recent confirmation. */
  readonly isConfirmed?: boolean
}

const password = Type.String({ maxLength: passwordLengthMax })
const passwordBody = Type.Object({ password })
const credential = Type.Object({}, { additionalProperties: true })

/** Endpoints without a session. Each POST counts as a sign-in try. */
export const openEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    body: Type.Object({ code: Type.String({ pattern: '^[0-9]{6}$', description: '6 digits' }) }),
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 32, description: 'a backup code' }) }),
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options' },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    body: Type.Object({ response: credential }),
  },
]

/** Endpoints with a session. If they take a password, they count as a sign-in try too. */
export const ownEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/sign-out', summary: 'Sign out' },
  {
    method: 'POST',
    path: '/change-password',
    body: Type.Object({ currentPassword: password, newPassword: password }),
    always: { revokeOtherSessions: true },
    summary: 'Change their password',
  },
  {
    method: 'POST',
    path: '/update-user',
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }) }),
    summary: 'Change their name',
  },
  {
    method: 'POST',
    path: '/two-factor/enable',
    body: passwordBody,
    summary: 'Begin to use an authenticator app',
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    body: passwordBody,
    summary: 'Stop using an authenticator app',
    isConfirmed: true,
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    body: passwordBody,
    summary: 'Make new backup codes',
    isConfirmed: true,
  },
  { method: 'GET', path: '/passkey/generate-register-options' },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    body: Type.Object({ response: credential, name: Type.Optional(Type.String({ maxLength: 100 })) }),
    summary: 'Add a passkey',
    isConfirmed: true,
  },
  { method: 'GET', path: '/passkey/list-user-passkeys' },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    body: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    summary: 'Remove a passkey',
    isConfirmed: true,
  },
  {
    method: 'POST',
    path: '/passkey/update-passkey',
    body: Type.Object({
      id: Type.String({ maxLength: 100 }),
      name: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    summary: 'Rename a passkey',
  },
]

/** Passes only the named fields, so that a client cannot, for example, ask to be trusted. */
export function bodyOf({ body, always }: Endpoint, request: AppRequest): Readonly<Record<string, unknown>> {
  const sent = (request.body ?? {}) as Record<string, unknown>
  const named = Object.keys(body?.properties ?? {}).filter((name) => name in sent)
  return { ...Object.fromEntries(named.map((name) => [name, sent[name]])), ...always }
}
