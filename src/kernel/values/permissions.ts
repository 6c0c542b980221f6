// What a key may do and what a wallet is entitled to (CONTRACT section 4).

/** Permissions of an API key, in the order in which they are shown. */
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
] as const

export type Permission = (typeof permissions)[number]

/** What every merchant's key may do unless its operator says otherwise. */
export const permissionsDefault: readonly Permission[] = [
  'checkout',
  'operations',
  'refund',
  'authorizations',
  'subscriptions',
  'callbacks',
]

/** Rights of a wallet, given by the operator: card API, MB and mandates; plain card data; split. */
export const rights = ['partner', 'pci_dss', 'marketplace'] as const

export type Right = (typeof rights)[number]

/** Who is calling: the wallet, and what its key and its operator allow. */
export interface Caller {
  readonly walletId: bigint
  readonly keyId: string
  readonly permissions: ReadonlySet<Permission>
  readonly rights: ReadonlySet<Right>
  /** Why the wallet may begin nothing at present; absent: it may. */
  readonly suspended?: string
}
