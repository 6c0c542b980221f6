// What each role of a merchant's team may do: the one table that the guard, the pages and the docs read.
import type { Permission } from '../../kernel/values/permissions.ts'

export const roles = ['owner', 'finance', 'support', 'developer', 'read_only'] as const

/** The part somebody has in a merchant's team. */
export type Role = (typeof roles)[number]

/** What the public API has no permission for, because only people do it. */
export const ownAbilities = ['keys', 'settings', 'team'] as const

export type OwnAbility = (typeof ownAbilities)[number]

/** What somebody may change. Reading what is the wallet's needs none of them. */
export type Ability = Permission | OwnAbility

const payments = ['operations', 'refund', 'authorizations'] as const
const recurring = ['subscriptions', 'mandates'] as const
const references = ['mb_pay', 'mb_reference'] as const

/** Read by every route that changes something; plain card data is typed by nobody into a page of ours. */
export const abilitiesOf: Readonly<Record<Role, readonly Ability[]>> = {
  owner: [
    ...['checkout', ...payments, 'split', ...recurring, 'card', ...references, 'callbacks', 'payouts'],
    ...ownAbilities,
  ] as readonly Ability[],
  finance: ['checkout', ...payments, 'split', ...references, 'payouts'],
  support: ['checkout', ...payments, ...recurring, ...references, 'card'],
  developer: ['checkout', 'callbacks', 'keys'],
  read_only: [],
}
