// The hooks that write requests of people to the action log.
import type { AppReply, AppRequest } from '../../http/index.ts'
import { type Instant, minute } from '../../kernel/time.ts'
import type { Core } from '../../module.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { ActionLog } from './action-log.ts'
import { type Person, walletPrefix } from './person.ts'
import { ownAbilities } from './role-rules.ts'
import { whatWasAsked } from './what-was-asked.ts'
import { whatWasMade } from './what-was-made.ts'

export interface ActionHooksDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly findWallet: (walletId: bigint) => Promise<Wallet | undefined>
  readonly log: ActionLog
}

export function createActionHooks({ database, clock, log, findWallet, onError }: ActionHooksDeps) {
  const readings = createReadings()
  const entryOf = (request: AppRequest, person: Person) => ({
    at: clock.now(),
    walletId: walletOf(request),
    userId: person.userId,
    email: person.email,
    target: targetOf(request),
    tid: request.id,
    address: request.ip,
  })

  return {
    /** Logs that an operator who is not in the team read a page of the merchant, at most once in ten minutes. */
    async noteReading(request: AppRequest, person: Person): Promise<undefined> {
      const entry = entryOf(request, person)
      if (entry.walletId === undefined || request.role !== undefined) return
      if (!readings.isNew(`${person.userId} ${entry.walletId} ${entry.target}`, entry.at)) return
      if ((await findWallet(entry.walletId)) === undefined) return
      request.action = await log.begin({ ...entry, action: 'Read as operator' }, false)
    },

    async begin(request: AppRequest, person: Person): Promise<undefined> {
      const { schema, url = '' } = request.routeOptions
      const action = {
        ...entryOf(request, person),
        action: (schema as { summary?: string } | undefined)?.summary ?? `${request.method} ${url}`,
        ...(await whatWasAsked(database, request)),
      }
      request.action = await log.begin(action, keepsValues(request))
    },

    beforeAnswer(request: AppRequest, reply: AppReply, payload: unknown): void {
      const { action, changes, method, routeOptions } = request
      if (action === undefined || changes !== undefined || method === 'GET') return
      if (reply.statusCode >= 400 || keepsValues(request) || typeof payload !== 'string') return
      request.changes = whatWasMade(routeOptions.url ?? '', payload, request.body)
    },

    afterAnswer(request: AppRequest, reply: AppReply): void {
      const { action, concerns, changes } = request
      if (action === undefined) return
      const isRepeated = reply.getHeader('idempotent-replayed') !== undefined
      const { statusCode } = reply.raw
      if (concerns === undefined && statusCode < 400 && mustNameMerchant(request)) {
        onError(new Error(`${request.routeOptions.url} has not set request.concerns`))
      }
      const ended = isRepeated ? action.forget() : action.end(statusCode, concerns ?? undefined, changes)
      ended.catch(onError)
    },
  }
}

function walletOf({ caller, params, query, routeOptions }: AppRequest): bigint | undefined {
  const { url = '', config } = routeOptions
  if (url.startsWith(walletPrefix)) return caller.walletId
  const { id } = (params ?? {}) as { id?: string }
  const { wallet_id } = (query ?? {}) as { wallet_id?: string | number }
  const named = { gateway: undefined, answer: undefined, path: id, query: wallet_id }
  const text = String(named[config.people?.concerns ?? 'gateway'] ?? '')
  return /^\d{1,18}$/.test(text) ? BigInt(text) : undefined
}

/** True for a change of settings, keys or the team, and for a change by an operator. The log keeps its values. */
function keepsValues({ routeOptions: { config } }: AppRequest): boolean {
  const { ability, concerns } = config.people ?? {}
  return (
    concerns === 'path' || concerns === 'answer' || (ownAbilities as readonly unknown[]).includes(ability)
  )
}

function mustNameMerchant({ routeOptions: { config } }: AppRequest): boolean {
  return config.people?.concerns === 'answer'
}

/** Pages repeat their requests. A page is logged once in this time. */
const readingMs = 10 * minute
const readingsMax = 10_000

function createReadings() {
  const seen = new Map<string, Instant>()
  return {
    isNew(key: string, now: Instant): boolean {
      const last = seen.get(key)
      if (last !== undefined && now - last < readingMs) return false
      seen.delete(key)
      seen.set(key, now)
      const [oldest] = seen.keys()
      if (seen.size > readingsMax && oldest !== undefined) seen.delete(oldest)
      return true
    },
  }
}

/** The path without the token of a stored card, because a token can pay. */
function targetOf(request: AppRequest): string {
  const [path = ''] = request.url.split('?')
  const { token } = (request.params ?? {}) as { token?: string }
  return token === undefined ? path : path.replace(encodeURIComponent(token), ':token')
}
