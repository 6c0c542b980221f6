// Types of the http module: dependencies, app, route settings.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Registry } from 'prom-client'
import type { Randomness } from '../kernel/random.ts'
import type { Refusal, RefusalKind, Result } from '../kernel/result.ts'
import type { Clock } from '../kernel/time.ts'
import type { Caller, Permission, Right } from '../kernel/values/permissions.ts'
import type { Tag } from './reference/tags.ts'
import type { TrialKeys } from './reference/trial.ts'

/** Tests set small values. */
export interface AdmissionOptions {
  readonly inProgressMax?: number
  readonly waitMsMax?: number
}

export interface HttpConfig {
  /** The public address, without a trailing slash. */
  readonly baseUrl: string
  /** The listening address, if different. */
  readonly host?: string | undefined
  readonly mode: 'sandbox' | 'production'
  /** Schemes of the Authorization header, in any case. Refusals name the first. */
  readonly authSchemes: readonly string[]
  /** Off only in benchmarks. */
  readonly rateLimits: boolean
  /** The bearer token of `/metrics`. Default: only this machine may read them. */
  readonly metricsToken?: string | undefined
  /** Peers with a trusted `X-Forwarded-For`: `off`, or a proxy-addr list. Default: `off`. */
  readonly trustProxy?: string | undefined
}

/** Authentication by key; provided by the wallets module. */
export interface Authenticate {
  /**
   * The caller for `key`, synchronously if it is in memory. Calls `mayAsk` before it queries an unknown key; false
   * means too_many_requests. Refusals: authentication_required, invalid_api_key.
   */
  byApiKey(key: string, mayAsk?: () => boolean): Result<Caller> | Promise<Result<Caller>>
  /** Whether a result of `byApiKey` is still valid, as far as memory knows. */
  isCurrent(caller: Caller): boolean
  esbTokenMatches(walletId: bigint, token: string): boolean | Promise<boolean>
}

/** For unexpected errors; pino fits. */
export interface HttpLogger {
  error(details: object, message: string): void
  info(details: object, message: string): void
}

interface HttpHooks {
  readonly authenticate: Authenticate
  /** Rejects while the database is unreachable or migrations are missing. */
  ready(): Promise<void>
  /** Whether workers run; absent without workers. */
  working?(): boolean
  /** Called before each answer to an API key; must return at once. */
  onAnswer?(request: AppRequest, reply: AppReply, payload: unknown): void
  /** Guards the routes under its prefix, if any. */
  readonly people?: PeopleGuard
  /** Keys that prefill the API reference on this machine. */
  trialKeys?(): Promise<TrialKeys | undefined>
  /** Renders refusals on pages. Default: JSON. */
  readonly renderRefusal?: RenderRefusal
}

export interface HttpDeps extends HttpHooks {
  readonly config: HttpConfig
  readonly clock: Clock
  readonly random: Randomness
  readonly metrics: Registry
  readonly admission?: AdmissionOptions
  readonly logger?: HttpLogger
}

/** Guards routes of signed-in people; provided by the backoffice. */
export interface PeopleGuard {
  readonly prefix: string
  /** Called before the body is read. Sets `caller` if the path names a wallet. */
  admit(request: AppRequest, reply: AppReply): Promise<Refusal | undefined>
  /** Repeats the decision after the body or a wait. */
  admitAgain(request: AppRequest): Promise<Refusal | undefined>
  /** Called after validation. */
  beforeHandler(request: AppRequest): Promise<Refusal | undefined>
  /** Called before each answer; must return at once. */
  beforeAnswer?(request: AppRequest, reply: AppReply, payload: unknown): void
  afterAnswer(request: AppRequest, reply: AppReply): void
}

export type RenderRefusal = (
  request: AppRequest,
  refusal: Refusal,
  status: number,
) => { readonly html: string; readonly headers: Record<string, string> }

/** Requirements beyond a valid key. */
export interface RouteAuth {
  readonly permission?: Permission
  readonly rights?: readonly Right[]
  /** Also needs the wallet's ESB token. */
  readonly esb?: boolean
  /** Allowed for suspended merchants. Reading and ending always are. */
  readonly whileSuspended?: boolean
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
export type AppRequest = FastifyRequest
export type AppReply = FastifyReply

/** A changed field, before and after, as text; '' if absent. */
export interface Change {
  readonly field: string
  readonly old: string
  readonly new: string
}

declare module 'fastify' {
  interface FastifySchema {
    /** Hidden in the reference. */
    hide?: boolean
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly Tag[]
    /** Documents the body of a route without a schema. */
    documentedBody?: object
  }

  interface FastifyRequest {
    /** Set on every route with a key. */
    caller: Caller
    /** Milliseconds of `performance.now()`. */
    arrivedAt: number
    /** The pool that counts the request. */
    admittedTo: { done(): void } | undefined
    /** Changes for the merchant's log, if the handler reports them. */
    changes: readonly Change[] | undefined
  }

  interface FastifyContextConfig {
    /** Default: a valid key suffices. */
    auth?: RouteAuth | 'none'
    /** A page for people, with its headers and limits. */
    page?: boolean
    /** Open and read-only like a page: shares the pool of pages. */
    amongPages?: boolean
    /** For probes and simulated networks: no limits, no queue. */
    unlimited?: boolean
    /** A long poll: uses no place, and is neither measured nor logged. */
    waits?: boolean
    /** Not in the request log, for the log's own readers. */
    unlogged?: boolean
    /** Additional refusals, for the API reference. */
    refusals?: readonly RefusalKind[]
  }
}
