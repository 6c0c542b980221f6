// What a wallet is: a merchant's or a consumer's account with the gateway, and what its operator allows it.

import type { Permission, Right } from '../kernel/values/permissions.ts'
import { type Method, methods, storedCardMethods } from '../methods/list.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'
import { feesAsRead, feesAsStored, type StoredFees } from './fee-model.ts'

/** Languages of the hosted pages. */
export const pageLanguages = ['pt', 'en'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/** Sandbox keys and production keys look different, so that neither is ever tried at the other. */
export type Mode = 'sandbox' | 'production'

/** Accounts with the gateway: merchants' and consumers'. */
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
    /** Which of them subscriptions may be accepted with. */
    subscriptionMethods: column.text<Method>().array(),
    feeSchedule: column.json<StoredFees>().transformed(feesAsRead, feesAsStored),
    /** Kept from each share of a split when the descriptor does not say. */
    splitFeeFixed: column.cents(),
    /** The variable part of the same, in basis points: 10 000 is the whole share. */
    splitFeeVariableBp: column.integer(),
    /** Where callbacks go; null while the merchant has named no address. */
    callbackUrl: column.text().nullable(),
    /** Where card callbacks go; null means `callbackUrl`. */
    cardCallbackUrl: column.text().nullable(),
    /** User name of the callbacks' Authorization header; null for consumers. */
    callbackUser: column.text().nullable(),
    /** Whether calls the merchant made itself send callbacks too (CONTRACT section 16). */
    selfEvents: column.boolean(),
    /** Origins of the merchant's pages that may embed secure form fields. */
    secureFieldOrigins: column.text().array(),
    /** Of its hosted pages, `#rrggbb`; null for the gateway's own. */
    brandColour: column.text().nullable(),
    /** The file of its picture, under `/branding/logos`; null where the pages show its first letter. */
    logo: column.text().nullable(),
    /** What its hosted pages link to. */
    termsUrl: column.text().nullable(),
    privacyUrl: column.text().nullable(),
    supportUrl: column.text().nullable(),
    supportEmail: column.text().nullable(),
    supportPhone: column.text().nullable(),
    /** Of hosted pages for people whose browser asks for none of ours. */
    pageLanguage: column.text<PageLanguage>().nullable(),
    /** Methods that its operator allows and the merchant itself does not offer. */
    methodsOff: column.text<Method>().array(),
    /** Since when its operator has it take nothing new; what exists goes on. */
    suspendedAt: column.instant().optional(),
    /** Why, in the operator's words, for its team; null where none was given. */
    suspendedReason: column.text().nullable(),
    /** The largest single payment that its operator lets it ask for; null: the gateway's own bounds alone. */
    paymentLimit: column.cents().nullable(),
    /** What its payments of one Lisbon day may come to. */
    dayLimit: column.cents().nullable(),
    /** What may be paid out to it on one Lisbon day. */
    payoutDayLimit: column.cents().nullable(),
    /** Whether it bears what the bank charges for its orders. */
    bankChargesPassedOn: column.boolean(),
    createdAt: column.instant(),
  },
  {
    callbackSecretSealed: column.bytes().nullable(),
    /** What was replaced, and until when receivers may expect it. */
    callbackSecretPrevious: column.embedded({ sealed: column.bytes(), until: column.instant() }).optional(),
    /** Null for consumers. */
    signingSecretSealed: column.bytes().named('callback_signing_sealed').nullable(),
    signingSecretPrevious: column
      .embedded({
        sealed: column.bytes().named('callback_signing_previous_sealed'),
        until: column.instant().named('callback_signing_previous_until'),
      })
      .optional(),
    esbTokenDigest: column.bytes().nullable(),
    /** Of a consumer. */
    pinDigest: column.bytes().nullable(),
    pinFailures: column.smallint(),
    lockedUntil: column.instant().optional(),
    modifiedAt: column.instant(),
  },
)

type WalletRow = RowOf<typeof wallets>

/** What an operator may change about a merchant; part of it the merchant's own team too (`own-settings.ts`). */
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
>

export interface Wallet extends WalletRow {
  /** Stores of the merchant, the only ones an operation may name. */
  readonly stores: readonly number[]
  /** Methods that no rail is there for; they are in none of its lists. Absent: there are rails for all. */
  readonly unserved?: readonly Method[]
  /** As of {@link RailCapabilities}. */
  readonly cardsAtAcquirer?: boolean
}

/** What the rails of a wallet can do. */
export interface RailCapabilities {
  readonly methods: ReadonlySet<Method>
  /** Whether cards are typed into the acquirer's own form, which pays once and keeps nothing. */
  readonly cardsAtAcquirer: boolean
}

/**
 * The wallet as its merchant and their customers find it: without the methods that no rail is there for, and those that
 * the merchant itself has switched off: with none while it is suspended. `served` is undefined where there are rails for
 * all.
 */
export function withAvailableMethods(wallet: Wallet, served: RailCapabilities | undefined): Wallet {
  const isSuspended = wallet.suspendedAt !== undefined
  if (served === undefined && wallet.methodsOff.length === 0 && !isSuspended) return wallet
  const cardsAtAcquirer = served?.cardsAtAcquirer ?? false
  const isServed = (method: Method) => served?.methods.has(method) ?? true
  const isOffered = (method: Method) =>
    !isSuspended && isServed(method) && !wallet.methodsOff.includes(method)
  const isCharged = (method: Method) =>
    isOffered(method) && !(cardsAtAcquirer && storedCardMethods.includes(method))
  return {
    ...wallet,
    methods: wallet.methods.filter(isOffered),
    subscriptionMethods: wallet.subscriptionMethods.filter(isCharged),
    ...(served !== undefined && {
      unserved: methods.filter((method) => !isServed(method)),
      cardsAtAcquirer,
    }),
  }
}

/** Why a merchant can begin nothing: for the reason of a refusal. */
export const whileSuspended =
  'the operator has suspended the merchant: it may read, give money back and end things'

/** Why a wallet cannot be paid by `method`, which it lacks: for the reason of a refusal. */
export function unavailableReason(
  { unserved, suspendedAt }: Pick<Wallet, 'unserved' | 'suspendedAt'>,
  method: Method,
): string {
  if (suspendedAt !== undefined) return whileSuspended
  return unserved?.includes(method) === true
    ? `the method ${method} is not available: this gateway has no connection that serves it`
    : `the method ${method} is not active for the wallet`
}

/**
 * Stores of merchants.
 *
 * @public Compared with the schema.
 */
export const stores = table('stores', {
  id: column.integer(),
  walletId: column.bigint(),
  name: column.text(),
})

/**
 * Every IBAN that a wallet has had, written by a trigger of its table.
 *
 * @public Compared with the schema.
 */
export const walletIbans = table('wallet_ibans', {
  walletId: column.bigint(),
  iban: column.text(),
  since: column.instant(),
})

/**
 * Failed log-ins under e-mails that nobody has.
 *
 * @public Compared with the schema.
 */
export const unknownLogIns = table('unknown_log_ins', {
  emailDigest: column.bytes(),
  failures: column.smallint(),
  lockedUntil: column.instant().optional(),
  modifiedAt: column.instant(),
})

/** Wallets of the demo world. */
export const demoWallets = table('demo_wallets', {
  label: column.text(),
  walletId: column.bigint(),
  secretsSealed: column.bytes(),
  /** Under which id it is given money, and when it was. */
  fundingId: column.uuid().optional(),
  fundedAt: column.instant().optional(),
})

/** What callbacks are signed and authorized with. Never logged, never stored unsealed. */
export interface CallbackCredentials {
  readonly user: string
  /** The Basic password. */
  readonly secret: string
  /** The password before, while receivers may still expect it (24 h after a rotation). */
  readonly previousSecret?: string
  /** What callbacks are signed with, never sent: the newest first, after it one that receivers may still expect. */
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
    /** What people call it. */
    name: column.text().nullable(),
    /** The last day (UTC) on which it was used, some seconds behind. */
    lastUsedOn: column.day().nullable(),
  },
  { digest: column.bytes() },
)

/** An API key as shown after its creation: the secret part is stored nowhere. */
export type ApiKey = RowOf<typeof apiKeys>

/**
 * Pictures of merchants.
 *
 * @public Compared with the schema.
 */
export const walletLogos = table('wallet_logos', {
  walletId: column.bigint(),
  file: column.text(),
  type: column.text(),
  content: column.bytes(),
  createdAt: column.instant(),
})
