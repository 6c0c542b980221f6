// Who is signed in, and what a route of the backoffice asks of them.
import type { Instant } from '../../kernel/time.ts'
import type { BegunAction } from './action-log.ts'
import type { Ability, Role } from './role-rules.ts'

/** Somebody who is signed in. */
export interface Person {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly sessionId: string
  readonly hasTwoFactor: boolean
  /** Of the gateway's operator: reads every wallet, changes none. */
  readonly isOperator: boolean
  /** When they last showed that it is them, by signing in or by confirming. */
  readonly confirmedAt: Instant
}

/** What a route asks of people; one of a wallet that changes something is refused to all who may not by name. */
export interface PeopleAuth {
  /** What the role must allow. Absent: what the same route asks of an API key; for GET, to be in the team. */
  readonly ability?: Ability
  /** Only for operators. */
  readonly operator?: boolean
  /** Only for those who have shown in the last minutes that it is them; `above` this many cents, where it moves money. */
  readonly confirmed?: 'always' | 'above_limit'
  /**
   * Of a route of the operator: whose log has it. `gateway`: no merchant's; `path`: that of the merchant whose number is
   * `:id`; `query`: that of `wallet_id`, which is read; `answer`: the handler sets `request.concerns`.
   */
  readonly concerns?: 'gateway' | 'path' | 'query' | 'answer'
  /** About themselves, and not written down: signing in, reading. */
  readonly isPrivate?: boolean
}

/** What the route asks by itself, and what it asks because it stands in the public API too: money that leaves, and its division. */
export function confirmationOf(url: string, { confirmed }: PeopleAuth = {}): PeopleAuth['confirmed'] {
  if (confirmed !== undefined) return confirmed
  if (url.endsWith('/operations/:id/split')) return 'always'
  return url.endsWith('/operations/:id/refund') ? 'above_limit' : undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** On routes of the backoffice that ask for somebody who is signed in. */
    person: Person | undefined
    /** Their role in the team of the wallet that the path names; undefined for an operator who reads. */
    role: Role | undefined
    /** Whether the owners of that team ask two-factor of everybody in it. */
    teamAsksTwoFactor: boolean
    /** The entry of this request in the log of who did what. */
    action: BegunAction | undefined
    /** The merchant that an operator's request turned out to concern; null: none. */
    concerns: bigint | null | undefined
  }
  interface FastifyContextConfig {
    readonly people?: PeopleAuth
  }
}
