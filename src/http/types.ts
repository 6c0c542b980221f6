// What the http module is handed, the type of the app that every module registers its routes on, and a route's own settings.
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

/** How many requests are worked on at once, and how long others wait: tests make both small. */
export interface AdmissionOptions {
  readonly inProgressMax?: number
  readonly waitMsMax?: number
}

export interface HttpConfig {
  /** The public address, without a slash at its end. */
  readonly baseUrl: string
  /** The address that it listens on, where that is another one. */
  readonly host?: string | undefined
  readonly mode: 'sandbox' | 'production'
  /** Scheme words of the Authorization header, compared without regard to case; the first one is named to clients. */
  readonly authSchemes: readonly string[]
  /** Off only for benchmarks: then no request pays for them. */
  readonly rateLimits: boolean
  /** What `/metrics` wants as `Authorization: Bearer`. Absent: it answers this machine alone. */
  readonly metricsToken?: string | undefined
  /** Peers whose `X-Forwarded-For` is believed: `off`, or a proxy-addr list. Default `off`. */
  readonly trustProxy?: string | undefined
}

/** Finds out who is calling; given by the module that keeps the keys. */
export interface Authenticate {
  /**
   * The caller presenting `key`, at once when it is in memory. Refusals: authentication_required, invalid_api_key.
   *
   * @param mayAsk called before the database is asked about a key that nobody has shown to be right; where it
   * answers false, nothing is asked and the refusal is too_many_requests
   */
  byApiKey(key: string, mayAsk?: () => boolean): Result<Caller> | Promise<Result<Caller>>
  /** Whether what `byApiKey` answered still holds, as far as memory knows; where not, ask again. */
  isCurrent(caller: Caller): boolean
  /** Whether `token` is the wallet's ESB token. */
  esbTokenMatches(walletId: bigint, token: string): boolean | Promise<boolean>
}

/** Where what nobody expected is written; pino fits. */
export interface HttpLogger {
  error(details: object, message: string): void
  info(details: object, message: string): void
}

/** Decisions of other modules about a request and its answer. */
interface HttpHooks {
  readonly authenticate: Authenticate
  /** Rejects while the gateway cannot work: database out of reach, migrations behind. */
  ready(): Promise<void>
  /** Whether what happens later is worked at; absent: nothing happens later. */
  working?(): boolean
  /** Called with each answer to a caller known by an API key, just before it is sent: must return at once. */
  onAnswer?(request: AppRequest, reply: AppReply, payload: unknown): void
  /** Guards the routes under its prefix. Absent: there are none. */
  readonly people?: PeopleGuard
  /** With what the API reference is prefilled for who opens it on this machine. Absent: with nothing. */
  trialKeys?(): Promise<TrialKeys | undefined>
  /** Shows refusals on routes that are pages as people read them. Absent: JSON there too. */
  readonly renderRefusal?: RenderRefusal
}

export interface HttpDeps extends HttpHooks {
  readonly config: HttpConfig
  readonly clock: Clock
  readonly random: Randomness
  readonly metrics: Registry
  /** How many requests are worked on at once, where it is not the usual number. */
  readonly admission?: AdmissionOptions
  readonly logger?: HttpLogger
}

/** Guards routes for people who are signed in, instead of API keys; given by the module that has their accounts. */
export interface PeopleGuard {
  /** What the paths of its routes begin with. */
  readonly prefix: string
  /** Called before the body is read. Sets `caller` where the path names a wallet; answers why not. */
  admit(request: AppRequest, reply: AppReply): Promise<Refusal | undefined>
  /** The same decision once more, when the body has arrived or a turn was waited for; answers why not. */
  admitAgain(request: AppRequest): Promise<Refusal | undefined>
  /** Called once the body was read and checked; answers why not. */
  beforeHandler(request: AppRequest): Promise<Refusal | undefined>
  /** Called with each answer just before it is sent: must return at once. */
  beforeAnswer?(request: AppRequest, reply: AppReply, payload: unknown): void
  afterAnswer(request: AppRequest, reply: AppReply): void
}

/** A refusal as a page: what is sent, and the headers it needs, its content type among them. */
export type RenderRefusal = (
  request: AppRequest,
  refusal: Refusal,
  status: number,
) => { readonly html: string; readonly headers: Record<string, string> }

/** What a route asks of its caller beyond a valid key. */
export interface RouteAuth {
  readonly permission?: Permission
  readonly rights?: readonly Right[]
  /** The card API: the wallet's ESB token as well. */
  readonly esb?: boolean
  /** Of a merchant that is suspended too; reading and ending things always is. */
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

/** A field or a thing with its value before and after, for people to read; '' where it has none. */
export interface Change {
  readonly field: string
  readonly old: string
  readonly new: string
}

declare module 'fastify' {
  /** What the API reference says of a route. */
  interface FastifySchema {
    /** Not in the reference. */
    hide?: boolean
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly Tag[]
    /** The body of a route that reads it by itself, without a schema. */
    documentedBody?: object
  }

  interface FastifyRequest {
    /** Who is calling; set on every route that is not `auth: 'none'`. */
    caller: Caller
    /** When the request arrived, in milliseconds of `performance.now()`. */
    arrivedAt: number
    /** By which it is counted among those that are worked on. */
    admittedTo: { done(): void } | undefined
    /** Its changes, where it tells them itself, for the merchant's log. */
    changes: readonly Change[] | undefined
  }

  interface FastifyContextConfig {
    /** Absent: a valid key suffices. */
    auth?: RouteAuth | 'none'
    /** A page for people: security headers of a page, and the limits of pages. */
    page?: boolean
    /** No page, but as open as one and only looked at: it waits for its turn among pages. */
    amongPages?: boolean
    /** Called by machines that watch the gateway, or by what stands for the outside: never limited, waits for no turn. */
    unlimited?: boolean
    /** Its answer waits for something to happen: it takes nobody's turn, and is neither measured nor in the request log. */
    waits?: boolean
    /** Not in the request log: who follows that would see nothing but their own questions. */
    unlogged?: boolean
    /** What the route may refuse, for the API reference, in addition to what every route may. */
    refusals?: readonly RefusalKind[]
  }
}
