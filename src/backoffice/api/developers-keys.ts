// API keys, secrets and callback addresses of a merchant.
import { Type } from 'typebox'
import { type App, callerOf } from '../../http/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Permission, permissions, permissionsDefault } from '../../kernel/values/permissions.ts'
import { walletPrefix } from '../access/person.ts'
import {
  endpointsAnswer,
  endpointsBody,
  keysAnswer,
  newKeyAnswer,
  newKeyBody,
  newSecretAnswer,
  pingAnswer,
  pingBody,
  type SecretKind,
} from '../contract/developers.ts'
import type { BackofficeParts } from '../parts.ts'

const prefix = `${walletPrefix}developers/`
/** These routes need a confirmation, because keys and secrets can move money. */
const forKeys = { ability: 'keys', confirmed: 'always' } as const

const rotations: Readonly<Record<SecretKind, object>> = {
  callback_password: { rotateCallbackSecret: true },
  signing_secret: { rotateCallbackSigningSecret: true },
  esb_token: { rotateEsbToken: true },
}

/** Permissions to send money out or to handle plain card data. Only owners give them. */
const ownersPermissions: readonly string[] = ['split', 'payouts', 'card_plain']

export function momentOrNull(moment: Instant | null | undefined): string | null {
  return moment === null || moment === undefined ? null : toTimestamp(moment)
}

export function developerKeyRoutes(parts: BackofficeParts): (app: App) => void {
  return (app) => {
    keyRoutes(parts, app)
    secretRoutes(parts, app)
    endpointRoutes(parts, app)
  }
}

function keyRoutes({ wallets }: BackofficeParts, app: App): void {
  app.get(
    `${prefix}keys`,
    { schema: { summary: 'API keys', response: { 200: keysAnswer } } },
    async (request) => {
      const keys = await wallets.listKeys(callerOf(request).walletId)
      return {
        keys: keys
          .map(({ id, name, permissions: may, createdAt, lastUsedOn, revokedAt }) => ({
            id,
            name,
            permissions: [...may],
            created: toTimestamp(createdAt),
            last_used_on: lastUsedOn,
            revoked: momentOrNull(revokedAt),
          }))
          .reverse(),
        permissions: [...permissions],
        permissions_default: [...permissionsDefault],
      }
    },
  )

  app.post(
    `${prefix}keys`,
    {
      config: { people: forKeys },
      schema: { summary: 'Make an API key', body: newKeyBody, response: { 200: newKeyAnswer } },
    },
    async (request) => {
      const { name, permissions: asked } = request.body
      const { walletId } = callerOf(request)
      const owners = asked.filter((one) => ownersPermissions.includes(one))
      if (owners.length > 0 && request.role !== 'owner') {
        return deny('access_denied', `only an owner makes keys with the permission ${owners.join(', ')}`)
      }
      const { id, key } = unwrap(await wallets.createKey(walletId, asked as Permission[], name))
      return { id, key }
    },
  )

  app.delete(
    `${prefix}keys/:key`,
    {
      config: { people: forKeys },
      schema: {
        summary: 'Revoke an API key',
        params: Type.Object({ wallet: Type.String(), key: Type.String() }),
      },
    },
    async (request) => {
      unwrap(await wallets.revokeKey(request.params.key, callerOf(request).walletId))
      return {}
    },
  )
}

function secretRoutes({ wallets }: BackofficeParts, app: App): void {
  async function rotated(walletId: bigint, kind: SecretKind): Promise<string> {
    const { rights } = await wallets.get(walletId)
    if (kind === 'esb_token' && !rights.includes('partner')) {
      return deny('access_denied', 'the wallet lacks the right partner, which the operator gives')
    }
    const changed = unwrap(await wallets.changeMerchant(walletId, {}, rotations[kind]))
    const { callbackSecret, callbackSigningSecret, esbToken } = changed
    return callbackSecret ?? callbackSigningSecret ?? esbToken ?? ''
  }

  for (const kind of Object.keys(rotations) as SecretKind[]) {
    app.post(
      `${prefix}secrets/${kind}`,
      {
        config: { people: forKeys },
        schema: { summary: `Replace the secret ${kind}`, response: { 200: newSecretAnswer } },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const { hasEsbToken } = await wallets.secretsOf(walletId)
        const secret = await rotated(walletId, kind)
        const old = kind === 'esb_token' && !hasEsbToken ? '' : 'set'
        request.changes = [{ field: kind, old, new: 'replaced' }]
        return { secret }
      },
    )
  }
}

function endpointRoutes({ wallets, callbacks }: BackofficeParts, app: App): void {
  app.get(
    `${prefix}endpoints`,
    { schema: { summary: 'Addresses of callbacks, with their health', response: { 200: endpointsAnswer } } },
    async (request) => {
      const { walletId } = callerOf(request)
      const [wallet, secrets, health] = await Promise.all([
        wallets.get(walletId),
        wallets.secretsOf(walletId),
        callbacks.endpoints(walletId),
      ])
      return {
        callback_url: wallet.callbackUrl,
        card_callback_url: wallet.cardCallbackUrl,
        self_events: wallet.selfEvents,
        secure_field_origins: [...wallet.secureFieldOrigins],
        embed_origins: [...wallet.embedOrigins],
        secrets: {
          callback_user: secrets.callbackUser,
          password_overlap_until: momentOrNull(secrets.passwordOverlapUntil),
          signing_overlap_until: momentOrNull(secrets.signingOverlapUntil),
          has_esb_token: secrets.hasEsbToken,
        },
        health: health.map((one) => ({
          lane: one.lane,
          last_received: momentOrNull(one.lastReceivedAt),
          failing_since: momentOrNull(one.failingSince),
          last_status: one.lastStatus ?? null,
          last_error: one.lastError ?? null,
          backlog: one.backlog,
          oldest_due: momentOrNull(one.oldestDueAt),
          given_up: one.givenUp,
        })),
      }
    },
  )

  app.patch(
    `${prefix}endpoints`,
    {
      config: { people: forKeys },
      schema: {
        summary: 'Change addresses of callbacks and origins of frames',
        body: endpointsBody,
      },
    },
    async (request) => {
      const { callback_url: callbackUrl, card_callback_url: cardCallbackUrl, ...rest } = request.body
      const changes = {
        ...(callbackUrl !== undefined && { callbackUrl }),
        ...(cardCallbackUrl !== undefined && { cardCallbackUrl }),
        ...(rest.self_events !== undefined && { selfEvents: rest.self_events }),
        ...(rest.secure_field_origins !== undefined && { secureFieldOrigins: rest.secure_field_origins }),
        ...(rest.embed_origins !== undefined && { embedOrigins: rest.embed_origins }),
      }
      unwrap(await wallets.changeMerchant(callerOf(request).walletId, changes))
      return {}
    },
  )

  app.post(
    `${prefix}ping`,
    {
      config: { people: { ability: 'callbacks' } },
      schema: { summary: 'Test a callback address', body: pingBody, response: { 200: pingAnswer } },
    },
    async (request) => ({
      event: unwrap(await callbacks.ping(callerOf(request).walletId, request.body.endpoint)),
    }),
  )
}
