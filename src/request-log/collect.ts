// Collects requests in memory and writes them in batches.

import { Counter } from 'prom-client'
import type { AppReply, AppRequest } from '../http/index.ts'
import type { Core } from '../module.ts'
import { knownFields } from './known-fields.ts'
import type { LoggedRequest } from './model.ts'
import { redactedJson, redactedPath, visible } from './redact.ts'
import { insertRequests } from './store.ts'

const lingerMsDefault = 500
/** A full batch is written at once; a larger one would delay payments. */
const groupMax = 200
/** Above this many entries or characters, new ones are dropped and counted. */
const gatheredMax = 5000
const charactersMax = 16 * 1024 * 1024
const userAgentLengthMax = 200
const failedStatusMin = 400

export interface CollectorDeps extends Pick<Core, 'database' | 'clock' | 'metrics' | 'onError'> {
  readonly lingerMs?: number | undefined
}

export interface Collector {
  note(request: AppRequest, reply: AppReply, payload: unknown): void
  flush(): Promise<void>
}

type Noted = Omit<LoggedRequest, 'path' | 'body' | 'answer' | 'code'> & {
  readonly url: string
  readonly received: unknown
  readonly schemas: Schemas
  readonly sent: unknown
}

interface Schemas {
  readonly body?: object
  readonly documentedBody?: object
  readonly querystring?: object
}

export function createCollector(deps: CollectorDeps): Collector {
  const { database, clock, metrics } = deps
  const dropped = new Counter({
    name: 'comporta_request_log_dropped_total',
    help: 'Requests missing in the request log, because they could not be written in time',
    registers: [metrics],
  })
  const lingerMs = deps.lingerMs ?? lingerMsDefault
  let noted: Noted[] = []
  let rows: LoggedRequest[] = []
  let characters = 0
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function note(request: AppRequest, reply: AppReply, payload: unknown): void {
    if (noted.length + rows.length >= gatheredMax || characters >= charactersMax) return dropped.inc()
    const { caller, headers } = request
    noted.push({
      walletId: caller.walletId,
      id: request.id,
      answeredAt: clock.now(),
      keyId: caller.keyId,
      method: request.raw.method ?? request.method,
      route: request.routeOptions.url ?? '',
      url: request.url,
      status: reply.raw.statusCode,
      durationMs: Math.round(performance.now() - request.arrivedAt),
      address: request.ip,
      userAgent: headers['user-agent']?.slice(0, userAgentLengthMax),
      received: request.body,
      schemas: (request.routeOptions.schema ?? {}) as Schemas,
      sent: payload,
    })
    // Secrets stay in memory only until the current answers are sent.
    if (noted.length === 1) setImmediate(collectRows)
  }

  function collectRows(): void {
    const fresh = noted
    noted = []
    const taken = fresh.map(rowOf)
    rows.push(...taken)
    characters += charactersOf(taken)
    if (rows.length >= groupMax) void write()
    else scheduleWrite()
  }

  function scheduleWrite(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, lingerMs).unref()
  }

  function write(): Promise<void> {
    writing ??= writeGroups().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function writeGroups(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    while (rows.length > 0) {
      const group = rows.slice(0, groupMax)
      await writeGroup(group)
      rows = rows.slice(group.length)
      characters -= charactersOf(group)
      if (rows.length > 0 && rows.length < groupMax) return scheduleWrite()
    }
  }

  /** If the database rejects a value, halves are written separately, so that only the bad row is lost. */
  async function writeGroup(group: readonly LoggedRequest[]): Promise<void> {
    try {
      await insertRequests(database, group)
    } catch (error) {
      if (group.length > 1 && isOfValues(error)) {
        const half = group.length >> 1
        await writeGroup(group.slice(0, half))
        return writeGroup(group.slice(half))
      }
      dropped.inc(group.length)
      deps.onError(error)
    }
  }

  return {
    note,
    async flush() {
      collectRows()
      while (rows.length > 0) await write()
      clearTimeout(timer)
      timer = undefined
    },
  }
}

function charactersOf(rows: readonly LoggedRequest[]): number {
  return rows.reduce((sum, { body, answer }) => sum + (body?.length ?? 0) + (answer?.length ?? 0), 0)
}

/** SQLSTATE classes 22 and 23: invalid values. */
function isOfValues(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}

function rowOf({ url, received, sent, schemas, ...row }: Noted): LoggedRequest {
  const isFailed = row.status >= failedStatusMin
  const answer = isFailed || row.method !== 'GET' ? jsonIn(sent) : undefined
  return {
    ...row,
    // A proxy's header may contain anything.
    address: row.address && visible(row.address),
    userAgent: row.userAgent && visible(row.userAgent),
    path: redactedPath(row.route, url, schemas.querystring),
    code: isFailed ? codeOf(answer) : undefined,
    body: redactedJson(
      knownFields(
        schemas.body ?? schemas.documentedBody,
        Buffer.isBuffer(received) ? jsonIn(received.toString()) : received,
      ),
    ),
    answer: redactedJson(answer, typeof sent === 'string' ? sent : undefined),
  }
}

function jsonIn(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeOf(answer: unknown): number | undefined {
  const code = (answer as { code?: unknown } | null | undefined)?.code
  return typeof code === 'number' ? code : undefined
}
