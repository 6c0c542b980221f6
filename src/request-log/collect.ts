// Collector of the request log: gathers requests in memory, and writes them in packed blocks.

import { Counter } from 'prom-client'
import type { AppReply, AppRequest } from '../http/index.ts'
import type { Instant } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Database } from '../storage/index.ts'
import { isFailed, type LoggedRequest, packRequests } from './blocks.ts'
import { knownFields } from './known-fields.ts'
import { redactedJson, redactedPath, visible } from './redact.ts'
import { insertBlocks } from './store.ts'
import type { RequestBlock } from './table.ts'

/** Time in which requests gather before they are packed and written. */
const lingerMsDefault = 500
/** Requests that are packed at once. More at a time would delay payments. */
const groupMax = 200
/** Limits of requests that are not packed yet. Above them the collector drops requests and counts them. */
const gatheredMax = 5000
const charactersMax = 16 * 1024 * 1024
/** Limit of packed blocks in memory. At full load it is enough for a minute without PostgreSQL. */
const packedBytesMax = 32 * 1024 * 1024
const blocksPerStatement = 64
const retryMsDefault = 1000
const userAgentLengthMax = 200

export interface CollectorDeps extends Pick<Core, 'database' | 'clock' | 'metrics' | 'onError'> {
  readonly lingerMs?: number | undefined
  /** Pause after a failed statement. */
  readonly retryMs?: number | undefined
}

export interface Collector {
  /** Notes an answer that is about to be sent. Returns at once. */
  note(request: AppRequest, reply: AppReply, payload: unknown): void
  /** Writes the gathered requests. */
  flush(): Promise<void>
}

/** A noted answer, with data that ends with the request. */
type Noted = Omit<LoggedRequest, 'path' | 'body' | 'answer' | 'code'> & {
  readonly url: string
  readonly received: unknown
  readonly schemas: Schemas
  readonly sent: unknown
}

/** Schemas of the fields that the route reads. */
interface Schemas {
  readonly body?: object
  readonly documentedBody?: object
  readonly querystring?: object
}

export function createCollector(deps: CollectorDeps): Collector {
  const { database, clock, metrics } = deps
  const dropped = new Counter({
    name: 'comporta_request_log_dropped_total',
    help: 'Requests that the request log left out, because they could not be written in time',
    registers: [metrics],
  })
  const lingerMs = deps.lingerMs ?? lingerMsDefault
  const retryMs = deps.retryMs ?? retryMsDefault
  const queue = createQueue(database, dropped)
  let noted: Noted[] = []
  const rows: LoggedRequest[] = []
  let characters = 0
  let writing: Promise<boolean> | undefined
  let timer: NodeJS.Timeout | undefined

  function note(request: AppRequest, reply: AppReply, payload: unknown): void {
    if (noted.length + rows.length >= gatheredMax || characters >= charactersMax) return dropped.inc()
    noted.push(notedOf(request, reply, payload, clock.now()))
    // Secrets in noted requests are only in memory, until the answers of this moment were sent.
    if (noted.length === 1) setImmediate(takeIn)
  }

  function takeIn(): void {
    const fresh = noted
    noted = []
    const taken = fresh.map(rowOf)
    rows.push(...taken)
    characters += charactersOf(taken)
    if (rows.length >= groupMax) void write()
    else arm(lingerMs)
  }

  function arm(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, ms).unref()
  }

  function disarm(): void {
    clearTimeout(timer)
    timer = undefined
  }

  /** Runs one statement after the other. Returns whether PostgreSQL took everything. */
  function write(): Promise<boolean> {
    writing ??= packAndInsert().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function packAndInsert(): Promise<boolean> {
    disarm()
    try {
      do {
        queue.pack(rows.splice(0))
        characters = 0
        await queue.insert()
      } while (rows.length >= groupMax)
      if (rows.length > 0) arm(lingerMs)
      return true
    } catch (error) {
      deps.onError(error)
      arm(retryMs)
      return false
    }
  }

  return {
    note,
    async flush() {
      takeIn()
      while (rows.length + queue.requests() > 0 && (await write()));
      dropped.inc(rows.length + queue.requests())
      disarm()
    },
  }
}

/** Packed blocks in memory, until PostgreSQL has taken them. */
function createQueue(database: Database, dropped: Counter) {
  let blocks: RequestBlock[] = []
  let packedBytes = 0
  return {
    requests: () => blocks.reduce((sum, { requests }) => sum + requests, 0),
    pack(rows: readonly LoggedRequest[]) {
      for (const requests of Map.groupBy(rows, ({ walletId }) => walletId).values()) {
        const block = packRequests(requests)
        if (packedBytes + block.packed.length > packedBytesMax) {
          dropped.inc(requests.length)
          continue
        }
        blocks.push(block)
        packedBytes += block.packed.length
      }
    },
    async insert() {
      while (blocks.length > 0) {
        const group = blocks.slice(0, blocksPerStatement)
        await insertBlocks(database, group)
        blocks = blocks.slice(group.length)
        packedBytes -= group.reduce((sum, { packed }) => sum + packed.length, 0)
      }
    },
  }
}

function notedOf(request: AppRequest, reply: AppReply, payload: unknown, now: Instant): Noted {
  const { caller, headers } = request
  return {
    walletId: caller.walletId,
    id: request.id,
    answeredAt: now,
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
  }
}

function charactersOf(rows: readonly LoggedRequest[]): number {
  return rows.reduce((sum, { body, answer }) => sum + (body?.length ?? 0) + (answer?.length ?? 0), 0)
}

function rowOf({ url, received, sent, schemas, ...row }: Noted): LoggedRequest {
  const failed = isFailed(row)
  const answer = failed || row.method !== 'GET' ? jsonIn(sent) : undefined
  return {
    ...row,
    // Any client can write anything into these headers, so secrets are hidden in them too.
    address: row.address && visible(row.address),
    userAgent: row.userAgent && visible(row.userAgent),
    path: redactedPath(row.route, url, schemas.querystring),
    code: failed ? codeOf(answer) : undefined,
    body: redactedJson(
      knownFields(
        schemas.body ?? schemas.documentedBody,
        Buffer.isBuffer(received) ? jsonIn(received.toString()) : received,
      ),
    ),
    answer: redactedJson(answer, typeof sent === 'string' ? sent : undefined),
  }
}

/** The JSON value of a text, or undefined. */
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
