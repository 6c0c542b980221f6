// The abilities of each role in a merchant's team.
import type { Permission } from '../../kernel/values/permissions.ts'

export const roles = ['owner', 'finance', 'support', 'developer', 'read_only'] as const

export type Role = (typeof roles)[number]

/** Abilities that no permission of the API covers. */
export const ownAbilities = ['keys', 'settings', 'team'] as const

export type OwnAbility = (typeof ownAbilities)[number]

/** A change needs an ability. Reading needs none. */
export type Ability = Permission | OwnAbility

const payments = ['operations', 'refund', 'authorizations'] as const
const recurring = ['subscriptions', 'mandates'] as const
const references = ['mb_pay', 'mb_reference'] as const

/** No role has card_plain, because nobody types plain card data into a page. */
export const abilitiesOf: Readonly<Record<Role, readonly Ability[]>> = {
  owner: [
    ...[
      'checkout',
      ...payments,
      'split',
      ...recurring,
      'card',
      ...references,
      'callbacks',
      'payouts',
      'mail',
      'callback_endpoints',
      'customers',
    ],
    ...ownAbilities,
  ] as readonly Ability[],
  finance: ['checkout', ...payments, 'split', ...references, 'payouts'],
  support: ['checkout', ...payments, ...recurring, ...references, 'card', 'customers'],
  developer: ['checkout', 'callbacks', 'callback_endpoints', 'mail', 'keys'],
  read_only: [],
}
