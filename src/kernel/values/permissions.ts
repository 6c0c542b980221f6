// Permissions of a key and rights of a wallet (CONTRACT section 4).

export const permissions = [
  'checkout',
  'operations',
  'refund',
  'split',
  'authorizations',
  'card',
  'card_plain',
  'mb_pay',
  'mb_reference',
  'mandates',
  'subscriptions',
  'callbacks',
  'payouts',
  'mail',
  'callback_endpoints',
  'customers',
] as const

export type Permission = (typeof permissions)[number]

export const permissionsDefault: readonly Permission[] = [
  'checkout',
  'operations',
  'refund',
  'authorizations',
  'subscriptions',
  'callbacks',
]

/** `partner`: card API, MB and mandates. `pci_dss`: plain card data. `marketplace`: splits. */
export const rights = ['partner', 'pci_dss', 'marketplace'] as const

export type Right = (typeof rights)[number]

export interface Caller {
  readonly walletId: bigint
  readonly keyId: string
  readonly permissions: ReadonlySet<Permission>
  readonly rights: ReadonlySet<Right>
  readonly suspended?: string
}
