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
  /** Required ability of the role. Default: that of API keys on the same route; for GET, membership. */
  readonly ability?: Ability
  readonly operator?: boolean
  /** Requires a recent confirmation; `above_limit`: only for large amounts. */
  readonly confirmed?: 'always' | 'above_limit'
  /** Source of the merchant on an operator's route: none, `:id` of the path, `wallet_id`, or `request.concerns`. */
  readonly concerns?: 'gateway' | 'path' | 'query' | 'answer'
  /** Not logged: signing in, reading own data. */
  readonly isPrivate?: boolean
}

/** Public routes that move money or divide it also need a confirmation. */
export function confirmationOf(url: string, { confirmed }: PeopleAuth = {}): PeopleAuth['confirmed'] {
  if (confirmed !== undefined) return confirmed
  if (url.endsWith('/operations/:id/split')) return 'always'
  return url.endsWith('/operations/:id/refund') ? 'above_limit' : undefined
}

export const apiPrefix = '/backoffice/api/'
export const walletPrefix = `${apiPrefix}wallets/:wallet/`

/** The wallet in the path of a team's route. */
export function walletIn({ params, routeOptions: { url = '' } }: AppRequest): bigint | undefined {
  const { wallet = '' } = (params ?? {}) as { wallet?: string }
  return url.startsWith(walletPrefix) && /^\d{1,18}$/.test(wallet) ? BigInt(wallet) : undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that require a session. */
    person: Person | undefined
    /** Role in the team of the wallet in the path; undefined for an operator. */
    role: Role | undefined
    teamAsksTwoFactor: boolean
    action: BegunAction | undefined
    /** The merchant concerned by an operator's request; null: none. */
    concerns: bigint | null | undefined
  }
  interface FastifyContextConfig {
    readonly people?: PeopleAuth
  }
}
