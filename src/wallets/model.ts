// Wallets: accounts of merchants and consumers with the gateway.
import type { Permission, Right } from '../kernel/values/permissions.ts'
import { type Method, methods, storedCardMethods } from '../methods/list.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'
import { feesAsRead, feesAsStored, type StoredFees } from './fee-model.ts'

export const pageLanguages = ['pt', 'en'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/** Keys of both modes look different, so that neither is tried in the other mode. */
export type Mode = 'sandbox' | 'production'

export const wallets = table(
  'wallets',
  {
    id: column.bigint(),
    publicId: column.text(),
    kind: column.text<'merchant' | 'consumer'>(),
    name: column.text(),
    email: column.text(),
    phone: column.text().nullable(),
    iban: column.text().nullable(),
    rights: column.text<Right>().array(),
    methods: column.text<Method>().array(),
    subscriptionMethods: column.text<Method>().array(),
    feeSchedule: column.json<StoredFees>().transformed(feesAsRead, feesAsStored),
    splitFeeFixed: column.cents(),
    /** Variable part of the same fee in basis points. */
    splitFeeVariableBp: column.integer(),
    callbackUrl: column.text().nullable(),
    /** Null: `callbackUrl` is used. */
    cardCallbackUrl: column.text().nullable(),
    /** User of the Authorization header of callbacks; null for consumers. */
    callbackUser: column.text().nullable(),
    /** Whether the merchant's own calls send callbacks too (CONTRACT section 16). */
    selfEvents: column.boolean(),
    secureFieldOrigins: column.text().array(),
    /** Pages that may show the checkout in a frame (FEATURES M7). */
    embedOrigins: column.text().array(),
    /** `#rrggbb`; null: the colour of the gateway. */
    brandColour: column.text().nullable(),
    /** File name of the logo; null: pages show the first letter of the name. */
    logo: column.text().nullable(),
    termsUrl: column.text().nullable(),
    privacyUrl: column.text().nullable(),
    supportUrl: column.text().nullable(),
    supportEmail: column.text().nullable(),
    supportPhone: column.text().nullable(),
    /** Language of hosted pages if the browser prefers no supported one. */
    pageLanguage: column.text<PageLanguage>().nullable(),
    /** Methods that the operator allows but the merchant switched off. */
    methodsOff: column.text<Method>().array(),
    /** Time from which it may start nothing new; existing payments continue. */
    suspendedAt: column.instant().optional(),
    /** Reason by the operator for the team of the merchant. */
    suspendedReason: column.text().nullable(),
    /** Largest single payment; null: only the limits of the gateway. */
    paymentLimit: column.cents().nullable(),
    /** Largest total of payments in one Lisbon day. */
    dayLimit: column.cents().nullable(),
    /** Largest total of payouts in one Lisbon day. */
    payoutDayLimit: column.cents().nullable(),
    bankChargesPassedOn: column.boolean(),
    /** Whether payments by bank reference are refunded, by transfer (FEATURES M1). */
    mbRefunds: column.boolean(),
    createdAt: column.instant(),
  },
  {
    callbackSecretSealed: column.bytes().nullable(),
    callbackSecretPrevious: column.embedded({ sealed: column.bytes(), until: column.instant() }).optional(),
    signingSecretSealed: column.bytes().named('callback_signing_sealed').nullable(),
    signingSecretPrevious: column
      .embedded({
        sealed: column.bytes().named('callback_signing_previous_sealed'),
        until: column.instant().named('callback_signing_previous_until'),
      })
      .optional(),
    esbTokenDigest: column.bytes().nullable(),
    pinDigest: column.bytes().nullable(),
    pinFailures: column.smallint(),
    lockedUntil: column.instant().optional(),
    modifiedAt: column.instant(),
  },
)

type WalletRow = RowOf<typeof wallets>

/** Settings that an operator may change; `own-settings.ts` lists those of the merchant's team. */
export type WalletSettings = Pick<
  WalletRow,
  | 'name'
  | 'email'
  | 'phone'
  | 'iban'
  | 'rights'
  | 'methods'
  | 'subscriptionMethods'
  | 'feeSchedule'
  | 'splitFeeFixed'
  | 'splitFeeVariableBp'
  | 'callbackUrl'
  | 'cardCallbackUrl'
  | 'selfEvents'
  | 'secureFieldOrigins'
  | 'embedOrigins'
  | 'brandColour'
  | 'termsUrl'
  | 'privacyUrl'
  | 'supportUrl'
  | 'supportEmail'
  | 'supportPhone'
  | 'pageLanguage'
  | 'methodsOff'
  | 'paymentLimit'
  | 'dayLimit'
  | 'payoutDayLimit'
  | 'bankChargesPassedOn'
  | 'mbRefunds'
>

export interface Wallet extends WalletRow {
  readonly stores: readonly number[]
  /** Methods without a rail, missing from its other lists. Absent: every method has one. */
  readonly unserved?: readonly Method[]
  readonly cardsAtAcquirer?: boolean
  /** Methods whose provider cannot reserve money. */
  readonly notHeld?: ReadonlySet<Method>
}

export interface RailCapabilities {
  readonly methods: ReadonlySet<Method>
  /** Whether customers type cards into the acquirer's own form, which stores none. */
  readonly cardsAtAcquirer: boolean
  /** Methods whose provider cannot charge again without the customer. Default: none. */
  readonly notCharged?: ReadonlySet<Method>
  /** Methods whose provider cannot reserve money. Default: none. */
  readonly notHeld?: ReadonlySet<Method>
}

/** The wallet without methods that have no rail or that the merchant switched off; a suspended wallet has no methods. */
export function withAvailableMethods(wallet: Wallet, served: RailCapabilities | undefined): Wallet {
  const isSuspended = wallet.suspendedAt !== undefined
  if (served === undefined && wallet.methodsOff.length === 0 && !isSuspended) return wallet
  const cardsAtAcquirer = served?.cardsAtAcquirer ?? false
  const isServed = (method: Method) => served?.methods.has(method) ?? true
  const isOffered = (method: Method) =>
    !isSuspended && isServed(method) && !wallet.methodsOff.includes(method)
  const isCharged = (method: Method) =>
    isOffered(method) &&
    served?.notCharged?.has(method) !== true &&
    !(cardsAtAcquirer && storedCardMethods.includes(method))
  return {
    ...wallet,
    methods: wallet.methods.filter(isOffered),
    subscriptionMethods: wallet.subscriptionMethods.filter(isCharged),
    ...(served !== undefined && {
      unserved: methods.filter((method) => !isServed(method)),
      cardsAtAcquirer,
      ...(served.notHeld !== undefined && { notHeld: served.notHeld }),
    }),
  }
}

export const whileSuspended =
  'the operator has suspended the merchant: reading, refunds and cancellations still work'

export function unavailableReason(
  { unserved, suspendedAt }: Pick<Wallet, 'unserved' | 'suspendedAt'>,
  method: Method,
): string {
  if (suspendedAt !== undefined) return whileSuspended
  return unserved?.includes(method) === true
    ? `the method ${method} is not available: this gateway has no connection that serves it`
    : `the method ${method} is not active for the wallet`
}

/** @public Tested against the schema. */
export const stores = table('stores', {
  id: column.integer(),
  walletId: column.bigint(),
  name: column.text(),
})

/** Every IBAN that a wallet has had, written by a trigger. @public Tested against the schema. */
export const walletIbans = table('wallet_ibans', {
  walletId: column.bigint(),
  iban: column.text(),
  since: column.instant(),
})

/** Failed log-ins under unknown e-mails. @public Tested against the schema. */
export const unknownLogIns = table('unknown_log_ins', {
  emailDigest: column.bytes(),
  failures: column.smallint(),
  lockedUntil: column.instant().optional(),
  modifiedAt: column.instant(),
})

export const demoWallets = table('demo_wallets', {
  label: column.text(),
  walletId: column.bigint(),
  secretsSealed: column.bytes(),
  /** The id of the opening credit. `fundedAt`: when it was booked. */
  fundingId: column.uuid().optional(),
  fundedAt: column.instant().optional(),
})

/** The secrets of callbacks. Never log them, never store them unsealed. */
export interface CallbackCredentials {
  readonly user: string
  readonly secret: string
  /** The old password during the 24 hours after a rotation. */
  readonly previousSecret?: string
  /** The newest secret is first. */
  readonly signingSecrets: readonly string[]
}

export const apiKeys = table(
  'api_keys',
  {
    id: column.text(),
    walletId: column.bigint(),
    permissions: column.text<Permission>().array(),
    createdAt: column.instant(),
    revokedAt: column.instant().nullable(),
    name: column.text().nullable(),
    /** Last day (UTC) of use. It is written some seconds after the request. */
    lastUsedOn: column.day().nullable(),
  },
  { digest: column.bytes() },
)

export type ApiKey = RowOf<typeof apiKeys>

/** @public Tested against the schema. */
export const walletLogos = table('wallet_logos', {
  walletId: column.bigint(),
  file: column.text(),
  type: column.text(),
  content: column.bytes(),
  createdAt: column.instant(),
})
