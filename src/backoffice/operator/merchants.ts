// The operator's routes for merchants.
import type { App } from '../../http/index.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { rights } from '../../kernel/values/permissions.ts'
import { defaultFeeSchedule, type FeeSchedule, methods, recurringMethods } from '../../methods/list.ts'
import { takenToday } from '../../operations/index.ts'
import { formatFeeRate, type Wallet } from '../../wallets/index.ts'
import {
  merchantChangeBody,
  merchantSchema,
  merchantsQuery,
  merchantsSchema,
  newMerchantBody,
  newMerchantSchema,
} from '../contract/operator/merchants.ts'
import type { BackofficeParts } from '../parts.ts'
import { settingsOf } from './merchant-settings.ts'
import {
  confirmedOfMerchant,
  confirmedOfSome,
  numberOf,
  ofMerchant,
  operatorPrefix,
  operators,
} from './route-parts.ts'

const merchantsShownMax = 200
const path = `${operatorPrefix}merchants`

export function merchantRoutes(parts: BackofficeParts): (app: App) => void {
  const { wallets, people } = parts

  async function merchantOf(text: string): Promise<Wallet> {
    const wallet = await wallets.find(numberOf(text, 'merchant'))
    if (wallet?.kind === 'merchant') return wallet
    return deny('not_found', `there is no merchant ${text}`)
  }

  const shown = (wallet: Wallet) => merchantInFull(parts, wallet)

  return (app) => {
    app.get(
      path,
      {
        config: { people: operators },
        schema: {
          summary: 'List merchants',
          querystring: merchantsQuery,
          response: { 200: merchantsSchema },
        },
      },
      async ({ query: { search = '' } }) => {
        const found = (await wallets.listMerchants()).filter((one) => fits(one, search))
        return { merchants: found.slice(0, merchantsShownMax).map(row), total: found.length }
      },
    )

    app.get(
      `${path}/:id`,
      {
        config: { people: ofMerchant },
        schema: { summary: 'Read a merchant', response: { 200: merchantSchema } },
      },
      async (request) => shown(await merchantOf((request.params as { id: string }).id)),
    )

    app.post(
      path,
      {
        config: { people: confirmedOfSome },
        schema: {
          summary: 'Create a merchant',
          body: newMerchantBody,
          response: { 200: newMerchantSchema },
        },
      },
      async (request) => {
        const { body } = request
        const settings = { ...settingsOf(body), name: body.name, email: body.email }
        const made = unwrap(await wallets.createMerchant(settings))
        const { wallet } = made
        request.concerns = wallet.id
        const key = unwrap(await wallets.createKey(wallet.id))
        const owner = {
          email: wallet.email,
          walletId: wallet.id,
          role: 'owner',
          invitedBy: undefined,
        } as const
        const invitation = unwrap(await people.invite(owner))
        return {
          ...{ wallet_id: Number(wallet.id), public_id: wallet.publicId, name: wallet.name },
          api_key: key.key,
          callback_user: wallet.callbackUser ?? '',
          callback_secret: made.callbackSecret,
          callback_signing_secret: made.callbackSigningSecret,
          ...(made.esbToken !== undefined && { esb_token: made.esbToken }),
          invitation: invitation.url,
        }
      },
    )

    app.patch(
      `${path}/:id`,
      {
        config: { people: confirmedOfMerchant },
        schema: {
          summary: 'Change a merchant',
          body: merchantChangeBody,
          response: { 200: merchantSchema },
        },
      },
      async (request) => {
        const { id } = await merchantOf((request.params as { id: string }).id)
        const { suspended, suspended_reason: why = '' } = request.body
        const reason = why.trim()
        const extras =
          suspended === undefined ? {} : { suspended, ...(reason !== '' && { suspendedReason: reason }) }
        const changed = await wallets.changeMerchant(id, settingsOf(request.body), extras)
        return shown(unwrap(changed).wallet)
      },
    )
  }
}

async function merchantInFull(
  { wallets, operator, database, gatewayClock }: BackofficeParts,
  wallet: Wallet,
) {
  const [{ balance, onItsWay }, keys, taken] = await Promise.all([
    operator.payouts.fundsOf(wallet),
    wallets.listKeys(wallet.id),
    takenToday({ database, clock: gatewayClock }, wallet.id),
  ])
  return {
    ...row(wallet),
    phone: wallet.phone,
    iban: wallet.iban,
    subscription_methods: [...wallet.subscriptionMethods],
    fees: feesText(wallet.feeSchedule),
    split_fee_fixed: decimalText(wallet.splitFeeFixed),
    split_fee_variable: (wallet.splitFeeVariableBp / 10_000).toFixed(4),
    payment_limit: textOrNull(wallet.paymentLimit),
    day_limit: textOrNull(wallet.dayLimit),
    payout_day_limit: textOrNull(wallet.payoutDayLimit),
    bank_charges_passed_on: wallet.bankChargesPassedOn,
    mb_refunds: wallet.mbRefunds,
    taken_today: wallet.dayLimit === null ? null : decimalText(taken),
    callback_url: wallet.callbackUrl,
    bank_reference: operator.bankReferenceOf(wallet.id),
    balance: decimalText(balance),
    on_its_way: decimalText(onItsWay),
    keys: keys.filter(({ revokedAt }) => revokedAt === null).length,
    known: {
      rights: [...rights],
      methods: [...methods],
      subscription_methods: [...recurringMethods],
      default_fees: feesText(defaultFeeSchedule),
    },
  }
}

function row(wallet: Wallet) {
  return {
    wallet_id: Number(wallet.id),
    public_id: wallet.publicId,
    name: wallet.name,
    email: wallet.email,
    rights: [...wallet.rights],
    methods: [...wallet.methods],
    created: toTimestamp(wallet.createdAt),
    suspended: wallet.suspendedAt === undefined ? null : toTimestamp(wallet.suspendedAt),
    suspended_reason: wallet.suspendedReason,
  }
}

function textOrNull(limit: Cents | null): string | null {
  return limit === null ? null : decimalText(limit)
}

function feesText(schedule: FeeSchedule): Record<string, string> {
  return Object.fromEntries(Object.entries(schedule).map(([method, rate]) => [method, formatFeeRate(rate)]))
}

function fits({ id, publicId, name, email }: Wallet, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return [String(id), publicId, name, email].some((one) => one.toLowerCase().includes(wanted))
}
