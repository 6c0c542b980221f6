// The commands merchant create, list and set.
import { readFile } from 'node:fs/promises'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { rights } from '../../kernel/values/permissions.ts'
import { topUpReference } from '../../methods/bank-transfer/rules.ts'
import { methods, recurringMethods } from '../../methods/list.ts'
import { formatFeeRate } from '../../wallets/fee-model.ts'
import type { Wallet, Wallets } from '../../wallets/index.ts'
import { pageLanguages } from '../../wallets/model.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import { done, refused, table } from './answers.ts'
import { type Command, type CommandInput, type OptionSpec, UsageError } from './command.ts'
import {
  basisPointsOf,
  centsOf,
  centsOrNone,
  feesOf,
  listOrNone,
  merchantNamed,
  switchOf,
  textOrNone,
  wordsOf,
} from './option-values.ts'

type SettingsChanges = Parameters<Wallets['changeMerchant']>[1]

const settingOptions: Readonly<Record<string, OptionSpec>> = {
  name: { value: '<text>', help: 'name shown to customers' },
  email: { value: '<address>', help: 'contact of the merchant' },
  phone: { value: '<+351…|none>', help: 'contact of the merchant' },
  iban: { value: '<iban|none>', help: 'account for payouts' },
  rights: { value: '<list|none>', help: `comma list of ${rights.join(', ')}` },
  methods: { value: '<list|none>', help: `comma list of ${methods.join(', ')}` },
  'subscription-methods': {
    value: '<list|none>',
    help: `methods that subscriptions may use: comma list of ${recurringMethods.join(', ')}`,
  },
  fee: {
    value: '<METHOD=RATE>',
    multiple: true,
    help: 'price of a method, such as CC=1.5%+0.15, or CC=default',
  },
  'split-fee-fixed': { value: '<euros>', help: 'fee kept from each share of a split, such as 0.30' },
  'split-fee-variable': { value: '<part>', help: 'part kept from each share of a split, 0 to 1' },
  'payment-limit': { value: '<euros|none>', help: 'largest single payment' },
  'day-limit': { value: '<euros|none>', help: 'largest total of payments in one Lisbon day' },
  'payout-day-limit': { value: '<euros|none>', help: 'largest total of payouts in one Lisbon day' },
  'bank-charges': {
    value: '<on|off>',
    help: 'the merchant pays the bank charges of its orders, such as returned debits; off by default',
  },
  'mb-refunds': {
    value: '<on|off>',
    help: 'refund payments by bank reference, by transfer to an IBAN; off by default',
  },
  'callback-url': { value: '<url|none>', help: 'address for callbacks' },
  'card-callback-url': { value: '<url|none>', help: 'address for callbacks about stored cards' },
  'self-events': {
    value: '<on|off>',
    help: 'send callbacks also for API calls of the merchant itself, such as refunds; off by default',
  },
  'secure-field-origins': {
    value: '<list|none>',
    help: 'comma list of origins that may embed secure form fields',
  },
  'embed-origins': {
    value: '<list|none>',
    help: 'comma list of origins that may show the checkout in a frame, such as https://shop.example',
  },
  'methods-off': {
    value: '<list|none>',
    help: 'allowed methods that the merchant does not offer',
  },
  'brand-colour': { value: '<#rrggbb|none>', help: 'colour of links and buttons on the hosted pages' },
  logo: {
    value: '<file|none>',
    path: true,
    help: 'logo on the hosted pages: PNG, JPEG or WebP of at most 100 KB',
  },
  'terms-url': { value: '<url|none>', help: 'terms of sale, linked on the hosted pages' },
  'privacy-url': { value: '<url|none>', help: 'privacy policy, linked on the hosted pages' },
  'support-url': { value: '<url|none>', help: 'help page, linked on the hosted pages' },
  'support-email': { value: '<address|none>', help: 'shown to customers' },
  'support-phone': { value: '<+351…|none>', help: 'shown to customers' },
  'page-language': {
    value: `<${pageLanguages.join('|')}|none>`,
    help: 'language of hosted pages if the browser prefers neither Portuguese nor English',
  },
  store: { value: '<name>', multiple: true, help: 'add a store' },
}

const create: Command = {
  name: 'merchant create',
  summary: 'Creates a merchant and shows its callback credentials once.',
  examples: ['comporta merchant create --name "Loja" --email loja@example.com --methods CC,MB,MBWAY'],
  operands: [],
  options: settingOptions,
  changes: { action: 'Create a merchant', of: async () => [] },
  async local({ wallets }, input) {
    const { name, email, ...others } = changesOf(input)
    if (name === undefined || email === undefined)
      throw new UsageError('merchant create needs --name and --email')
    const extras = { addStores: input.values('store'), ...(await logoOf(input)) }
    const created = await wallets.createMerchant({ name, email, ...others }, extras)
    if (!created.ok) return refused(created.refusal)
    const next = `Next: comporta key create ${created.value.wallet.id}`
    const answer = changed(created.value)
    return { ...answer, text: `${answer.text}\n\n${next}` }
  },
}

const list: Command = {
  name: 'merchant list',
  summary: 'Lists the merchants.',
  examples: ['comporta merchant list --json'],
  operands: [],
  options: {},
  changes: 'nothing',
  async local({ wallets }) {
    const merchants = await wallets.listMerchants()
    const rows = merchants.map((wallet) => [
      String(wallet.id),
      wallet.publicId,
      wallet.name,
      wallet.rights.join(','),
      wallet.methods.join(','),
      topUpReference(wallet.id),
      wallet.callbackUrl ?? '',
    ])
    const head = ['WALLET', 'PUBLIC ID', 'NAME', 'RIGHTS', 'METHODS', 'BANK REFERENCE', 'CALLBACK URL']
    return done({ merchants: merchants.map(walletAsJson) }, table(head, rows))
  },
}

const set: Command = {
  name: 'merchant set',
  summary: 'Changes only the given settings. <wallet> is the number or the public id of the merchant.',
  examples: [
    'comporta merchant set 1000 --callback-url https://shop.example/callbacks --self-events on',
    'comporta merchant set 1000 --rotate-callback-secret',
  ],
  operands: ['<wallet>'],
  options: {
    ...settingOptions,
    suspended: {
      value: '<on|off>',
      help: 'stop new keys, checkouts and payouts; refunds and callbacks continue',
    },
    reason: { value: '<text>', help: 'reason for --suspended on, shown to its team in the backoffice' },
    'rotate-callback-secret': {
      help: 'new Basic password of callbacks, shown once; the old one works for 24 hours more',
    },
    'rotate-callback-signing-secret': {
      help: 'new signing secret of callbacks, shown once; the old one also signs for 24 hours more',
    },
    'rotate-esb-token': { help: 'new ESB token, shown once; the old one stops working immediately' },
  },
  changes: {
    action: 'Change a merchant',
    of: async ({ wallets }, input) => [(await merchantNamed(wallets, input.operands[0])).id],
  },
  local: setMerchant,
}

export const merchantCommands: readonly Command[] = [create, list, set]

async function setMerchant({ wallets }: CommandContext, input: CommandInput): Promise<CommandResult> {
  const changes = changesOf(input)
  const extras = {
    addStores: input.values('store'),
    ...(await logoOf(input)),
    ...suspendedOf(input),
    rotateCallbackSecret: input.flag('rotate-callback-secret'),
    rotateCallbackSigningSecret: input.flag('rotate-callback-signing-secret'),
    rotateEsbToken: input.flag('rotate-esb-token'),
  }
  const rotates = extras.rotateCallbackSecret || extras.rotateCallbackSigningSecret || extras.rotateEsbToken
  if (
    Object.keys(changes).length === 0 &&
    extras.addStores.length === 0 &&
    extras.logo === undefined &&
    extras.suspended === undefined &&
    !rotates
  ) {
    throw new UsageError(`merchant set changes nothing: give one of ${optionNames(set)}`)
  }
  const { id } = await merchantNamed(wallets, input.operands[0])
  const { hasEsbToken } = await wallets.secretsOf(id)
  const result = await wallets.changeMerchant(id, changes, extras)
  if (!result.ok) return refused(result.refusal)
  const replaced = [
    ...(extras.rotateCallbackSecret ? [{ field: 'callback_password', old: 'set' }] : []),
    ...(extras.rotateCallbackSigningSecret ? [{ field: 'signing_secret', old: 'set' }] : []),
    ...(extras.rotateEsbToken ? [{ field: 'esb_token', old: hasEsbToken ? 'set' : '' }] : []),
  ]
  return { ...changed(result.value), changed: replaced.map((one) => ({ ...one, new: 'replaced' })) }
}

function optionNames(command: Command): string {
  return Object.keys(command.options)
    .map((name) => `--${name}`)
    .join(', ')
}

const readers: Readonly<Record<string, (text: string) => SettingsChanges>> = {
  name: (text) => ({ name: text }),
  email: (text) => ({ email: text }),
  phone: (text) => ({ phone: textOrNone(text) }),
  iban: (text) => ({ iban: textOrNone(text) }),
  rights: (text) => ({ rights: wordsOf('rights', text, rights) }),
  methods: (text) => ({ methods: wordsOf('methods', text, methods) }),
  'subscription-methods': (text) => ({
    subscriptionMethods: wordsOf('subscription-methods', text, recurringMethods),
  }),
  'split-fee-fixed': (text) => ({ splitFeeFixed: centsOf('split-fee-fixed', text) }),
  'split-fee-variable': (text) => ({ splitFeeVariableBp: basisPointsOf('split-fee-variable', text) }),
  'payment-limit': (text) => ({ paymentLimit: centsOrNone('payment-limit', text) }),
  'day-limit': (text) => ({ dayLimit: centsOrNone('day-limit', text) }),
  'payout-day-limit': (text) => ({ payoutDayLimit: centsOrNone('payout-day-limit', text) }),
  'bank-charges': (text) => ({ bankChargesPassedOn: switchOf('bank-charges', text) }),
  'mb-refunds': (text) => ({ mbRefunds: switchOf('mb-refunds', text) }),
  'callback-url': (text) => ({ callbackUrl: textOrNone(text) }),
  'card-callback-url': (text) => ({ cardCallbackUrl: textOrNone(text) }),
  'self-events': (text) => ({ selfEvents: switchOf('self-events', text) }),
  'secure-field-origins': (text) => ({ secureFieldOrigins: listOrNone(text) }),
  'embed-origins': (text) => ({ embedOrigins: listOrNone(text) }),
  'methods-off': (text) => ({ methodsOff: wordsOf('methods-off', text, methods) }),
  'brand-colour': (text) => ({ brandColour: textOrNone(text) }),
  'terms-url': (text) => ({ termsUrl: textOrNone(text) }),
  'privacy-url': (text) => ({ privacyUrl: textOrNone(text) }),
  'support-url': (text) => ({ supportUrl: textOrNone(text) }),
  'support-email': (text) => ({ supportEmail: textOrNone(text) }),
  'support-phone': (text) => ({ supportPhone: textOrNone(text) }),
  'page-language': (text) => ({ pageLanguage: wordsOf('page-language', text, pageLanguages)[0] ?? null }),
}

function changesOf(input: CommandInput): SettingsChanges {
  const fees = feesOf(input.values('fee'))
  let changes: SettingsChanges = Object.keys(fees).length === 0 ? {} : { fees }
  for (const [option, read] of Object.entries(readers)) {
    const text = input.value(option)
    if (text !== undefined) changes = { ...changes, ...read(text) }
  }
  return changes
}

/** The backoffice has the same limit. */
const reasonLengthMax = 300

function suspendedOf(input: CommandInput): {
  readonly suspended?: boolean
  readonly suspendedReason?: string
} {
  const [text, reason] = [input.value('suspended'), input.value('reason')?.trim()]
  const suspended = text === undefined ? undefined : switchOf('suspended', text)
  if (reason === undefined) return suspended === undefined ? {} : { suspended }
  if (suspended !== true) throw new UsageError('--reason explains a suspension: add --suspended on')
  if (reason === '' || reason.length > reasonLengthMax)
    throw new UsageError(`--reason must be a text of 1 to ${reasonLengthMax} characters`)
  return { suspended, suspendedReason: reason }
}

async function logoOf(input: CommandInput): Promise<{ readonly logo?: Uint8Array | null }> {
  const path = input.value('logo')
  if (path === undefined) return {}
  if (textOrNone(path) === null) return { logo: null }
  try {
    return { logo: await readFile(path) }
  } catch (error) {
    throw new UsageError(`--logo: ${(error as Error).message}`)
  }
}

interface Changed {
  readonly wallet: Wallet
  readonly callbackSecret?: string
  readonly callbackSigningSecret?: string
  readonly esbToken?: string
}

function changed({ wallet, callbackSecret, callbackSigningSecret, esbToken }: Changed): CommandResult {
  const secrets = {
    ...(callbackSecret !== undefined && { callback_secret: callbackSecret }),
    ...(callbackSigningSecret !== undefined && { callback_signing_secret: callbackSigningSecret }),
    ...(esbToken !== undefined && { esb_token: esbToken }),
  }
  const json = { ...walletAsJson(wallet), ...secrets }
  const lines = Object.entries(json).map(([name, value]) => [name, textOfValue(value)])
  const once = Object.keys(secrets).length === 0 ? '' : '\n\nSecrets are shown only now: save them.'
  return done(json, table(['SETTING', 'VALUE'], lines) + once)
}

function textOfValue(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name}=${part}`)
    .join(', ')
}

function textOfLimit(limit: Cents | null): string | null {
  return limit === null ? null : decimalText(limit)
}

function walletAsJson(wallet: Wallet) {
  const fees = Object.entries(wallet.feeSchedule).map(([method, rate]) => [method, formatFeeRate(rate)])
  return {
    wallet_id: Number(wallet.id),
    public_id: wallet.publicId,
    name: wallet.name,
    email: wallet.email,
    phone: wallet.phone,
    iban: wallet.iban,
    bank_reference: topUpReference(wallet.id),
    rights: wallet.rights,
    methods: wallet.methods,
    subscription_methods: wallet.subscriptionMethods,
    fees: Object.fromEntries(fees) as Record<string, string>,
    split_fee_fixed: decimalText(wallet.splitFeeFixed),
    split_fee_variable: (wallet.splitFeeVariableBp / 10_000).toFixed(4),
    payment_limit: textOfLimit(wallet.paymentLimit),
    day_limit: textOfLimit(wallet.dayLimit),
    payout_day_limit: textOfLimit(wallet.payoutDayLimit),
    bank_charges_passed_on: wallet.bankChargesPassedOn,
    mb_refunds: wallet.mbRefunds,
    callback_url: wallet.callbackUrl,
    card_callback_url: wallet.cardCallbackUrl,
    callback_user: wallet.callbackUser,
    signs_with_callback_secret: false,
    self_events: wallet.selfEvents,
    secure_field_origins: wallet.secureFieldOrigins,
    embed_origins: wallet.embedOrigins,
    methods_off: wallet.methodsOff,
    brand_colour: wallet.brandColour,
    logo: wallet.logo,
    terms_url: wallet.termsUrl,
    privacy_url: wallet.privacyUrl,
    support_url: wallet.supportUrl,
    support_email: wallet.supportEmail,
    support_phone: wallet.supportPhone,
    page_language: wallet.pageLanguage,
    stores: wallet.stores,
    suspended: wallet.suspendedAt === undefined ? null : toTimestamp(wallet.suspendedAt),
    suspended_reason: wallet.suspendedReason ?? null,
    created: toTimestamp(wallet.createdAt),
  }
}
