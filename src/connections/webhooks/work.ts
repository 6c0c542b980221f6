// The worker of stored webhooks. After a failure it waits longer each time.
import { isUuid } from '../../kernel/random.ts'
import { after, backoffMs, type Clock, day, hour, type Instant, minute, second } from '../../kernel/time.ts'
import type { Core } from '../../module.ts'
import { createPeriodicWorker, createWorker, type Database, type Worker } from '../../storage/index.ts'
import type { Connections } from '../connections.ts'
import type { WebhookRow } from '../model.ts'
import { dropSignaturesBefore } from '../requests-store.ts'
import { noticesWithKeys } from '../tools/notices.ts'
import { providerFetch, watched, whyFailed } from '../tools/provider-fetch.ts'
import type { CountWebhook } from './receive.ts'
import {
  claimWebhooks,
  deleteHandledBefore,
  finishWebhook,
  postponeWebhook,
  webhooksChannel,
} from './webhooks-store.ts'

const concurrency = 8
const pollMs = 5 * second
/** The lease is longer than a handler takes, which makes one rail call (8 s) and one write. */
const leaseMs = minute
const firstPauseMs = 5 * second
const pauseMsMax = hour
/** A person must look at a longer failure. The gateway asks the rail about the payment anyway. */
const triedForMs = 3 * day

export interface WebhookWorkDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly connections: Connections
  readonly count: CountWebhook
}

export function createWebhookWorker(deps: WebhookWorkDeps): Worker {
  const { database, clock, onError } = deps
  return createWorker<WebhookRow>({
    name: 'rail webhooks',
    database,
    channel: webhooksChannel,
    concurrency,
    pollMs,
    onError,
    async claim(limit) {
      const now = clock.now()
      return claimWebhooks(database, now, after(now, leaseMs), limit)
    },
    work: (row) => work(deps, row),
  })
}

async function work(
  { database, clock, connections, count }: WebhookWorkDeps,
  row: WebhookRow,
): Promise<void> {
  const held = connections.find(row.connectionId)
  const driver = held?.row.driver ?? 'none'
  const provider = watched(providerFetch)
  let about: string | undefined
  try {
    const receiver = held?.driver?.webhook
    if (held === undefined || receiver === undefined) throw new MissingDriver()
    const notification = { id: row.notificationId, payload: row.payload ?? '' }
    const tools = connections.toolsOf(held, provider.fetch)
    const notices = noticesWithKeys(tools.notices, (key) => {
      about ??= isUuid(key) ? key : undefined
    })
    await receiver.handle(connections.opened(held), notification, { ...tools, notices })
    await finishWebhook(database, row.id, about, clock.now())
    count(driver, 'handled')
  } catch (error) {
    const dueAt = nextTry(row, clock.now())
    await postponeWebhook(database, row.id, { about, dueAt, lastError: whyFailed(provider, error) })
    count(driver, dueAt === undefined ? 'given_up' : 'failed')
  }
}

class MissingDriver extends Error {
  readonly code = 'DRIVER_MISSING'
}

function nextTry({ tries, receivedAt }: WebhookRow, now: Instant): Instant | undefined {
  if (now - receivedAt > triedForMs) return undefined
  return after(now, backoffMs(firstPauseMs, Math.max(0, tries - 1), pauseMsMax))
}

/** Providers repeat a notification for two months at most (SIBS). A later one only causes an inquiry. */
const webhooksKeptMs = 90 * day
/** Customers have 15 minutes for the next step, and the provider's own limit is shorter. */
const signaturesKeptMs = hour

export function createPurge(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Worker {
  const { database, clock, onError } = deps
  return createPeriodicWorker({
    name: 'rail records',
    database,
    pollMs: hour / 4,
    async run() {
      const now = clock.now()
      await deleteHandledBefore(database, after(now, -webhooksKeptMs))
      await dropSignaturesBefore(database, after(now, -signaturesKeptMs))
    },
    onError,
  })
}
