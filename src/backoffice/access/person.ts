// The signed-in person, and the requirements of routes.
import type { AppRequest } from '../../http/index.ts'
import type { Instant } from '../../kernel/time.ts'
import type { BegunAction } from './action-log.ts'
import type { Ability, Role } from './role-rules.ts'

export interface Person {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly sessionId: string
  readonly hasTwoFactor: boolean
  readonly isOperator: boolean
  readonly confirmedAt: Instant
}

export interface PeopleAuth {
  /** The ability that the role needs. Default: the permission that an API key needs; for GET, membership is enough. */
  readonly ability?: Ability
  readonly operator?: boolean
  /** The route needs a recent confirmation. `above_limit`: only for large amounts. */
  readonly confirmed?: 'always' | 'above_limit'
  /** How an operator's route names the merchant: not, in `:id`, in `wallet_id`, or in `request.concerns`. */
  readonly concerns?: 'gateway' | 'path' | 'query' | 'answer'
  /** True if the request is not logged, such as signing in or reading own data. */
  readonly isPrivate?: boolean
}

/** Routes of the API that move or divide money need a confirmation too. */
export function confirmationOf(url: string, { confirmed }: PeopleAuth = {}): PeopleAuth['confirmed'] {
  if (confirmed !== undefined) return confirmed
  if (url.endsWith('/operations/:id/split')) return 'always'
  return url.endsWith('/operations/:id/refund') ? 'above_limit' : undefined
}

export const apiPrefix = '/backoffice/api/'
export const walletPrefix = `${apiPrefix}wallets/:wallet/`

/** The wallet in the path, if the route is under `walletPrefix`. */
export function walletIn({ params, routeOptions: { url = '' } }: AppRequest): bigint | undefined {
  const { wallet = '' } = (params ?? {}) as { wallet?: string }
  return url.startsWith(walletPrefix) && /^\d{1,18}$/.test(wallet) ? BigInt(wallet) : undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Present on routes that need a session. */
    person: Person | undefined
    /** The role in the team of the wallet in the path. Undefined for an operator. */
    role: Role | undefined
    teamAsksTwoFactor: boolean
    action: BegunAction | undefined
    /** The merchant that an operator's request is about; null: no merchant. */
    concerns: bigint | null | undefined
  }
  interface FastifyContextConfig {
    readonly people?: PeopleAuth
  }
}
