// Connections to providers, and the master keys.
import { Type } from 'typebox'
import type { Contact } from '../../connections/index.ts'
import type { App } from '../../http/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { masterKeysSchema, railCheckSchema, railsSchema, rotatedSchema } from '../contract/operator/home.ts'
import type { BackofficeParts } from '../parts.ts'
import { confirmedOperators, numberOf, operatorPrefix, operators } from './route-parts.ts'

const webhooksShown = 50

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
      drivers: rails.drivers.map(({ name, rails: served, proven }) => ({ name, rails: [...served], proven })),
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

function contactIn(contact: Contact | undefined) {
  return contact === undefined ? null : { at: toTimestamp(contact.at), said: contact.said }
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
