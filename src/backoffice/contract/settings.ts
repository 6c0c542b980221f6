// Schemas of a merchant's settings.
import { type Static, Type } from 'typebox'

const text = Type.String({ maxLength: 2000 })
/** Null empties the field. */
const optionalText = Type.Optional(Type.Union([text, Type.Null()]))

const store = Type.Object({ id: Type.Integer(), name: Type.String() })
/** The maximum of an `integer` column. */
const storeNumberMax = 2_147_483_647
const renamedStore = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: storeNumberMax }),
  name: Type.String(),
})

export const settingsSchema = Type.Object({
  public_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone: Type.Union([Type.String(), Type.Null()]),
  iban: Type.Union([Type.String(), Type.Null()]),
  stores: Type.Array(store),
  methods_allowed: Type.Array(Type.String()),
  methods: Type.Array(Type.String()),
  /** In euros; null: no limit. */
  limits: Type.Object({
    payment: Type.Union([Type.String(), Type.Null()]),
    day: Type.Union([Type.String(), Type.Null()]),
    taken_today: Type.Union([Type.String(), Type.Null()]),
    payout_day: Type.Union([Type.String(), Type.Null()]),
  }),
  mb_refunds: Type.Boolean(),
  split_fee_fixed: Type.String(),
  split_fee_percent: Type.Number(),
  logo: Type.Union([Type.String(), Type.Null()]),
  brand_colour: Type.Union([Type.String(), Type.Null()]),
  terms_url: Type.Union([Type.String(), Type.Null()]),
  privacy_url: Type.Union([Type.String(), Type.Null()]),
  support_url: Type.Union([Type.String(), Type.Null()]),
  support_email: Type.Union([Type.String(), Type.Null()]),
  support_phone: Type.Union([Type.String(), Type.Null()]),
  page_language: Type.Union([Type.String(), Type.Null()]),
})
export type SettingsAnswer = Static<typeof settingsSchema>

export const settingsChange = Type.Object({
  name: Type.Optional(text),
  email: Type.Optional(text),
  phone: optionalText,
  add_stores: Type.Optional(Type.Array(text, { maxItems: 20 })),
  rename_stores: Type.Optional(Type.Array(renamedStore, { maxItems: 200 })),
  methods: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
  split_fee_fixed: Type.Optional(Type.String({ maxLength: 20 })),
  split_fee_percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01 })),
  brand_colour: optionalText,
  terms_url: optionalText,
  privacy_url: optionalText,
  support_url: optionalText,
  support_email: optionalText,
  support_phone: optionalText,
  page_language: Type.Optional(Type.Union([Type.Literal('pt'), Type.Literal('en'), Type.Null()])),
})
export type SettingsChange = Static<typeof settingsChange>

export const ibanChange = Type.Object({ iban: Type.Union([Type.String({ maxLength: 60 }), Type.Null()]) })

/** The picture in base64. Null removes the logo. */
export const logoChange = Type.Object({ logo: Type.Union([Type.String(), Type.Null()]) })
