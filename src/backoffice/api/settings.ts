// Settings that a merchant's team changes itself.
import { type App, callerOf } from '../../http/index.ts'
import { decimalText } from '../../kernel/money.ts'
import { type Result, unwrap } from '../../kernel/result.ts'
import type { Method } from '../../methods/list.ts'
import { takenToday } from '../../operations/index.ts'
import { logoPath, type Wallet } from '../../wallets/index.ts'
import { walletPrefix } from '../access/person.ts'
import {
  ibanChange,
  logoChange,
  type SettingsAnswer,
  type SettingsChange,
  settingsChange,
  settingsSchema,
} from '../contract/settings.ts'
import { centsOf } from '../operator/merchant-settings.ts'
import type { BackofficeParts } from '../parts.ts'

const people = { ability: 'settings' } as const
const basisPointsPerPercent = 100
/** Fits a logo of 100 KB in base64. */
const logoBodyBytesMax = 144 * 1024

export function settingsRoutes({ wallets, database, gatewayClock }: BackofficeParts): (app: App) => void {
  const path = `${walletPrefix}settings`

  async function answerOf(walletId: bigint): Promise<SettingsAnswer> {
    const [wallet, stores] = await Promise.all([wallets.find(walletId), wallets.listStores(walletId)])
    if (wallet === undefined) throw new Error(`there is no wallet ${walletId}`)
    const taken =
      wallet.dayLimit === null ? null : await takenToday({ database, clock: gatewayClock }, walletId)
    return settingsOf(wallet, stores, taken)
  }

  async function changed(walletId: bigint, changing: Promise<Result<Wallet>>): Promise<SettingsAnswer> {
    unwrap(await changing)
    return answerOf(walletId)
  }

  return (app) => {
    app.get(path, { schema: { summary: 'Settings', response: { 200: settingsSchema } } }, async (request) =>
      answerOf(callerOf(request).walletId),
    )

    app.patch(
      path,
      {
        config: { people },
        schema: { summary: 'Change settings', body: settingsChange, response: { 200: settingsSchema } },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const { body } = request
        const extras = { addStores: body.add_stores ?? [], renameStores: body.rename_stores ?? [] }
        return changed(walletId, wallets.changeOwnSettings(walletId, changesOf(body), extras))
      },
    )

    // The IBAN has a route of its own, which needs a confirmation, because money goes there.
    app.put(
      `${path}/iban`,
      {
        config: { people: { ...people, confirmed: 'always' } },
        schema: { summary: 'Change the IBAN', body: ibanChange, response: { 200: settingsSchema } },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        return changed(walletId, wallets.changeOwnSettings(walletId, { iban: request.body.iban }))
      },
    )

    app.put(
      `${path}/logo`,
      {
        bodyLimit: logoBodyBytesMax,
        config: { people },
        schema: { summary: 'Change the logo', body: logoChange, response: { 200: settingsSchema } },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const { logo: text } = request.body
        const logo = text === null ? null : new Uint8Array(Buffer.from(text, 'base64'))
        return changed(walletId, wallets.changeOwnSettings(walletId, {}, { logo }))
      },
    )
  }
}

function settingsOf(
  wallet: Wallet,
  stores: SettingsAnswer['stores'],
  takenToday: bigint | null,
): SettingsAnswer {
  const text = (amount: bigint | null) => (amount === null ? null : decimalText(amount))
  return {
    public_id: wallet.publicId,
    name: wallet.name,
    email: wallet.email,
    phone: wallet.phone,
    iban: wallet.iban,
    stores,
    methods_allowed: [...wallet.methods],
    methods: wallet.methods.filter((method) => !wallet.methodsOff.includes(method)),
    limits: {
      payment: text(wallet.paymentLimit),
      day: text(wallet.dayLimit),
      taken_today: text(takenToday),
      payout_day: text(wallet.payoutDayLimit),
    },
    mb_refunds: wallet.mbRefunds,
    split_fee_fixed: decimalText(wallet.splitFeeFixed),
    split_fee_percent: wallet.splitFeeVariableBp / basisPointsPerPercent,
    logo: wallet.logo === null ? null : logoPath(wallet.logo, wallet.publicId),
    brand_colour: wallet.brandColour,
    terms_url: wallet.termsUrl,
    privacy_url: wallet.privacyUrl,
    support_url: wallet.supportUrl,
    support_email: wallet.supportEmail,
    support_phone: wallet.supportPhone,
    page_language: wallet.pageLanguage,
  }
}

function changesOf(body: SettingsChange) {
  const { split_fee_fixed: fixed, split_fee_percent: percent } = body
  const changes = {
    name: body.name,
    email: body.email,
    phone: body.phone,
    methods: body.methods as readonly Method[] | undefined,
    splitFeeFixed: fixed === undefined ? undefined : centsOf('split_fee_fixed', fixed),
    splitFeeVariableBp: percent === undefined ? undefined : Math.round(percent * basisPointsPerPercent),
    brandColour: body.brand_colour,
    termsUrl: body.terms_url,
    privacyUrl: body.privacy_url,
    supportUrl: body.support_url,
    supportEmail: body.support_email,
    supportPhone: body.support_phone,
    pageLanguage: body.page_language,
  }
  type Changes = { [Field in keyof typeof changes]?: Exclude<(typeof changes)[Field], undefined> }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Changes
}
