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

export interface AdmissionOptions {
  readonly inProgressMax?: number
  readonly waitMsMax?: number
}

export interface HttpConfig {
  readonly baseUrl: string
  readonly host?: string | undefined
  readonly mode: 'sandbox' | 'production'
  readonly authSchemes: readonly string[]
  readonly rateLimits: boolean
  /** The bearer token of `/metrics`. Default: only this machine may read them. */
  readonly metricsToken?: string | undefined
  /** Peers whose `X-Forwarded-For` is trusted: `off`, or a list for proxy-addr. Default: `off`. */
  readonly trustProxy?: string | undefined
  /** Numbers of all cells. Default: this cell and 0. */
  readonly cells?: ReadonlySet<number> | undefined
}

export interface Authenticate {
  /**
   * Returns at once if the key is in memory. `mayAsk` can prevent the query for an unknown key. Refusals:
   * authentication_required, invalid_api_key, too_many_requests.
   */
  byApiKey(key: string, mayAsk?: () => boolean): Result<Caller> | Promise<Result<Caller>>
  /** Whether a result of `byApiKey` is still valid. It looks only into memory. */
  isCurrent(caller: Caller): boolean
  esbTokenMatches(walletId: bigint, token: string): boolean | Promise<boolean>
}

export interface HttpLogger {
  error(details: object, message: string): void
  info(details: object, message: string): void
}

interface HttpHooks {
  readonly authenticate: Authenticate
  ready(): Promise<void>
  working?(): boolean
  /** Called before each answer to an API key. It must return at once. */
  onAnswer?(request: AppRequest, reply: AppReply, payload: unknown): void
  readonly people?: PeopleGuard
  trialKeys?(): Promise<TrialKeys | undefined>
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

export interface PeopleGuard {
  readonly prefix: string
  admit(request: AppRequest, reply: AppReply): Promise<Refusal | undefined>
  admitAgain(request: AppRequest): Promise<Refusal | undefined>
  beforeHandler(request: AppRequest): Promise<Refusal | undefined>
  /** Called before each answer. It must return at once. */
  beforeAnswer?(request: AppRequest, reply: AppReply, payload: unknown): void
  afterAnswer(request: AppRequest, reply: AppReply): void
}

export type RenderRefusal = (
  request: AppRequest,
  refusal: Refusal,
  status: number,
) => { readonly html: string; readonly headers: Record<string, string> }

export interface RouteAuth {
  readonly permission?: Permission
  readonly rights?: readonly Right[]
  readonly esb?: boolean
  /** The route stays open to suspended merchants. Routes that read or end something always do. */
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

export interface Change {
  readonly field: string
  readonly old: string
  readonly new: string
}

declare module 'fastify' {
  interface FastifySchema {
    hide?: boolean
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly Tag[]
    documentedBody?: object
  }

  interface FastifyRequest {
    caller: Caller
    arrivedAt: number
    admittedTo: { done(): void } | undefined
    /** The changes that the handler reports, for the log of the merchant's actions. */
    changes: readonly Change[] | undefined
  }

  interface FastifyContextConfig {
    auth?: RouteAuth | 'none'
    page?: boolean
    /** The route is open and read-only like a page, so it uses the pool of pages. */
    amongPages?: boolean
    /** The route has no limits and no queue, because probes and simulated networks call it. */
    unlimited?: boolean
    /** The route answers after a long wait, so it takes no place and is neither measured nor logged. */
    waits?: boolean
    unlogged?: boolean
    refusals?: readonly RefusalKind[]
  }
}
