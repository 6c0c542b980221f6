// Connections to providers, and the master keys.
import { Type } from 'typebox'
import type { Contact } from '../../connections/index.ts'
import type { App } from '../../http/index.ts'
import { deny, type Result, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import {
  connectBody,
  connectedSchema,
  masterKeysSchema,
  railCheckSchema,
  railsSchema,
  rotatedSchema,
} from '../contract/operator/home.ts'
import type { BackofficeParts } from '../parts.ts'
import { confirmedOfSome, confirmedOperators, numberOf, operatorPrefix, operators } from './route-parts.ts'

const webhooksShown = 50
const noConnections = 'the sandbox has its own rails: connections are for MODE=production'
const webhookFailed = { name: 'webhook', ok: false }

export function railRoutes({ operator: { rails, vault } }: BackofficeParts): (app: App) => void {
  async function shown() {
    if (rails === undefined) return { simulated: true, connections: [], drivers: [], failed_webhooks: [] }
    const [listed, failed] = await Promise.all([
      rails.list({ removed: true }),
      rails.failedWebhooks(webhooksShown),
    ])
    return {
      simulated: false,
      connections: listed.map((one) => ({
        ...{
          id: Number(one.id),
          driver: one.driver,
          rails: [...one.rails],
          state: one.state,
          enabled: one.enabled,
        },
        wallet_id: one.walletId === undefined ? null : Number(one.walletId),
        changed: toTimestamp(one.changedAt),
        last_answer: contactIn(one.lastAnswer),
        last_error: contactIn(one.lastError),
      })),
      drivers: rails.drivers.map(({ name, rails: served, proven, settings, connects }) => ({
        ...{ name, rails: [...served], proven, has_test: connects !== undefined },
        settings: settings.map((one) => ({
          ...{ name: one.name, secret: one.secret, required: one.required, help: one.help },
        })),
      })),
      failed_webhooks: failed.map((one) => ({
        ...{ id: Number(one.id), connection: Number(one.connectionId), tries: one.tries },
        received: toTimestamp(one.receivedAt),
        error: one.lastError ?? null,
      })),
    }
  }

  return (app) => {
    app.get(
      `${operatorPrefix}rails`,
      { config: { people: operators }, schema: { summary: 'List rails', response: { 200: railsSchema } } },
      shown,
    )

    app.post(
      `${operatorPrefix}rails`,
      {
        config: { people: confirmedOfSome },
        schema: { summary: 'Set a connection', body: connectBody, response: { 200: connectedSchema } },
      },
      async (request) => {
        if (rails === undefined) return deny('illegal_state', noConnections) as never
        const { driver, wallet_id, rails: served, settings, secrets, test, allow_unproven } = request.body
        const walletId = wallet_id === undefined ? undefined : BigInt(wallet_id)
        const asked = {
          ...{ driver, walletId, rails: served, settings, secrets, registers: true },
          ...{ test: test === true, allowUnproven: allow_unproven === true },
        }
        const made = unwrap(inFields(await rails.connect(asked)))
        const { connection, ok, checked, isRegistered, notRegistered, byHand, changes } = made
        request.concerns = walletId ?? null
        request.changes = changes
        const failed = notRegistered === undefined ? [] : [{ ...webhookFailed, detail: notRegistered }]
        return {
          ...{ connection: Number(connection.id), ok, checks: [...failed, ...checked.results] },
          ...{ webhook: checked.webhookUrl ?? null, registered: isRegistered, by_hand: [...byHand] },
        }
      },
    )

    app.post(
      `${operatorPrefix}rails/:id/check`,
      {
        config: { people: operators },
        schema: { summary: 'Check a connection', body: Type.Object({}), response: { 200: railCheckSchema } },
      },
      async (request) => {
        const id = numberOf((request.params as { id: string }).id, 'connection')
        if (rails === undefined) return deny('not_found', `there is no connection ${id}`) as never
        const [checked] = unwrap(await rails.check(id))
        return { ok: checked?.ok === true, checks: [...(checked?.results ?? [])] }
      },
    )

    app.get(
      `${operatorPrefix}master-keys`,
      {
        config: { people: operators },
        schema: { summary: 'Count secrets by master key', response: { 200: masterKeysSchema } },
      },
      async () => {
        const { current, versions } = await vault.status()
        return {
          current,
          versions: versions.map(({ version, inFile, secrets }) => ({
            ...{ version, in_file: inFile, secrets: { ...secrets } },
          })),
        }
      },
    )

    app.post(
      `${operatorPrefix}master-keys/rotate`,
      {
        config: { people: confirmedOperators },
        schema: { summary: 'Rotate the master key', body: Type.Object({}), response: { 200: rotatedSchema } },
      },
      async () => {
        const rotated = await vault.rotate()
        if (!rotated.ok) return deny('illegal_state', rotated.refusal) as never
        const { version, added, resealed, left } = rotated.value
        return { version, added, resealed: sumOf(resealed), left: sumOf(left) }
      },
    )
  }
}

/** The refusals name the options of the command. A caller of the route knows the fields of its body. */
function inFields<Value>(result: Result<Value>): Result<Value> {
  if (result.ok) return result
  const reason = result.refusal.reason
    .replace(/--(setting|secret) (\w+)(=\S+\b)?/g, '$1s.$2')
    .replace('--allow-unproven', 'allow_unproven')
    .replace('leave out --merchant', 'leave out wallet_id')
    .replace(/--(rails|test)/g, '$1')
  return { ok: false, refusal: { ...result.refusal, reason } }
}

function contactIn(contact: Contact | undefined) {
  return contact === undefined ? null : { at: toTimestamp(contact.at), said: contact.said }
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
