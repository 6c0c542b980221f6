// Schemas of merchants for the operator.
import { type Static, Type } from 'typebox'

const text = (lengthMax: number) => Type.String({ maxLength: lengthMax })
const address = Type.Union([text(2000), Type.Null()])
const words = Type.Array(text(40), { maxItems: 20 })

export const merchantsQuery = Type.Object({
  search: Type.Optional(text(100)),
})

export const merchantsSchema = Type.Object({
  merchants: Type.Array(
    Type.Object({
      wallet_id: Type.Integer(),
      public_id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      rights: Type.Array(Type.String()),
      methods: Type.Array(Type.String()),
      created: Type.String(),
      suspended: Type.Union([Type.String(), Type.Null()]),
      suspended_reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  /** The number of matches. At most 200 are returned. */
  total: Type.Integer(),
})
export type MerchantsAnswer = Static<typeof merchantsSchema>

export const merchantSchema = Type.Object({
  wallet_id: Type.Integer(),
  public_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone: Type.Union([Type.String(), Type.Null()]),
  iban: Type.Union([Type.String(), Type.Null()]),
  rights: Type.Array(Type.String()),
  methods: Type.Array(Type.String()),
  subscription_methods: Type.Array(Type.String()),
  fees: Type.Record(Type.String(), Type.String()),
  split_fee_fixed: Type.String(),
  /** A fraction from 0 to 1, with 4 decimals. */
  split_fee_variable: Type.String(),
  /** In euros; null: no limit. */
  payment_limit: Type.Union([Type.String(), Type.Null()]),
  day_limit: Type.Union([Type.String(), Type.Null()]),
  payout_day_limit: Type.Union([Type.String(), Type.Null()]),
  bank_charges_passed_on: Type.Boolean(),
  mb_refunds: Type.Boolean(),
  taken_today: Type.Union([Type.String(), Type.Null()]),
  callback_url: Type.Union([Type.String(), Type.Null()]),
  bank_reference: Type.String(),
  balance: Type.String(),
  on_its_way: Type.String(),
  keys: Type.Integer(),
  created: Type.String(),
  suspended: Type.Union([Type.String(), Type.Null()]),
  suspended_reason: Type.Union([Type.String(), Type.Null()]),
  known: Type.Object({
    rights: Type.Array(Type.String()),
    methods: Type.Array(Type.String()),
    subscription_methods: Type.Array(Type.String()),
    default_fees: Type.Record(Type.String(), Type.String()),
  }),
})
export type MerchantAnswer = Static<typeof merchantSchema>

/** In euros; null removes the limit. */
const limit = Type.Optional(Type.Union([text(20), Type.Null()]))

const settings = {
  name: Type.Optional(text(200)),
  email: Type.Optional(text(254)),
  phone: Type.Optional(Type.Union([text(40), Type.Null()])),
  iban: Type.Optional(Type.Union([text(60), Type.Null()])),
  rights: Type.Optional(words),
  methods: Type.Optional(words),
  subscription_methods: Type.Optional(words),
  fees: Type.Optional(Type.Record(Type.String(), text(40))),
  split_fee_fixed: Type.Optional(text(20)),
  split_fee_variable: Type.Optional(text(20)),
  payment_limit: limit,
  day_limit: limit,
  payout_day_limit: limit,
  bank_charges_passed_on: Type.Optional(Type.Boolean()),
  mb_refunds: Type.Optional(Type.Boolean()),
  callback_url: Type.Optional(address),
}

export const newMerchantBody = Type.Object({ ...settings, name: text(200), email: text(254) })
export const merchantChangeBody = Type.Object({
  ...settings,
  suspended: Type.Optional(Type.Boolean()),
  suspended_reason: Type.Optional(text(300)),
})
export type MerchantChange = Static<typeof merchantChangeBody>

export const newMerchantSchema = Type.Object({
  wallet_id: Type.Integer(),
  public_id: Type.String(),
  name: Type.String(),
  api_key: Type.String(),
  callback_user: Type.String(),
  callback_secret: Type.String(),
  callback_signing_secret: Type.String(),
  esb_token: Type.Optional(Type.String()),
  invitation: Type.String(),
})
export type NewMerchantAnswer = Static<typeof newMerchantSchema>
