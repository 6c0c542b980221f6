// Requests as PayPal's published OpenAPI documents describe them, in our own words.
//
// checkout_orders_v2, payments_payment_v2, vault_payment_tokens_v3, notifications_webhooks_v1 of paypal/paypal-rest-api-specifications: names,
// required fields, lengths and enumerations. Fields that the driver does not send are left out, so that it cannot begin
// to send one unseen.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const closed = { additionalProperties: false }
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const word = (...words: string[]) => Type.Union(words.map((one) => Type.Literal(one)))

/** `money`: the number of decimals depends on the currency; `value` is text. */
const money = Type.Union([
  Type.Object(
    { currency_code: word('HUF', 'JPY', 'TWD'), value: Type.String({ pattern: '^[0-9]{1,32}$' }) },
    closed,
  ),
  Type.Object(
    {
      currency_code: Type.String({ pattern: '^(?!HUF|JPY|TWD)[A-Z]{3}$' }),
      value: Type.String({ pattern: '^[0-9]{1,29}[.][0-9]{2}$' }),
    },
    closed,
  ),
])

const address = Type.String({ pattern: '^https?://', maxLength: 2048 })

const locale = Type.String({
  pattern: '^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}))?$',
  maxLength: 10,
})

const experience = Type.Object(
  {
    brand_name: text(127),
    locale,
    shipping_preference: word('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'),
    user_action: word('CONTINUE', 'PAY_NOW'),
    payment_method_preference: word('UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED'),
    return_url: address,
    cancel_url: address,
  },
  closed,
)

/** A saved account: `vault_id` in place of the approval. */
const saved = Type.Object(
  {
    vault_id: Type.String({ pattern: '^[0-9a-zA-Z_-]{1,255}$' }),
    stored_credential: Type.Object(
      {
        payment_initiator: word('CUSTOMER', 'MERCHANT'),
        usage: word('FIRST', 'SUBSEQUENT', 'DERIVED'),
      },
      closed,
    ),
  },
  closed,
)

const order = Type.Object(
  {
    intent: word('CAPTURE', 'AUTHORIZE'),
    purchase_units: Type.Array(Type.Object({ custom_id: text(127), amount: money }, closed), {
      minItems: 1,
      maxItems: 10,
    }),
    payment_source: Type.Object(
      { paypal: Type.Union([Type.Object({ experience_context: experience }, closed), saved]) },
      closed,
    ),
  },
  closed,
)

/** `paypal_wallet_request`. */
const setupToken = Type.Object(
  {
    payment_source: Type.Object(
      {
        paypal: Type.Object(
          {
            usage_type: word('MERCHANT', 'PLATFORM'),
            permit_multiple_payment_tokens: Type.Boolean(),
            experience_context: Type.Object(
              {
                brand_name: text(300),
                locale,
                shipping_preference: word('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'),
                vault_instruction: word('ON_CREATE_PAYMENT_TOKENS', 'ON_PAYER_APPROVAL'),
                return_url: address,
                cancel_url: address,
              },
              closed,
            ),
          },
          closed,
        ),
      },
      closed,
    ),
  },
  closed,
)

const paymentToken = Type.Object(
  {
    payment_source: Type.Object(
      { token: Type.Object({ id: text(255), type: Type.Literal('SETUP_TOKEN') }, closed) },
      closed,
    ),
  },
  closed,
)

const eventTypes = Type.Array(Type.Object({ name: Type.String({ pattern: '^[A-Z.-]+$' }) }, closed), {
  minItems: 1,
  maxItems: 500,
})

/** By method and path of the documents; null: no body. */
const bodies = {
  'POST /v2/checkout/orders': order,
  'POST /v3/vault/setup-tokens': setupToken,
  'POST /v3/vault/payment-tokens': paymentToken,
  'POST /v2/checkout/orders/:id/capture': Type.Object({}, closed),
  'POST /v2/checkout/orders/:id/authorize': Type.Object({}, closed),
  'POST /v2/payments/authorizations/:id/capture': Type.Object(
    { amount: money, final_capture: Type.Boolean() },
    closed,
  ),
  'POST /v2/payments/authorizations/:id/void': Type.Object({}, closed),
  'POST /v2/payments/captures/:id/refund': Type.Object({ amount: money, custom_id: text(127) }, closed),
  'POST /v1/notifications/webhooks': Type.Object({ url: address, event_types: eventTypes }, closed),
  'PATCH /v1/notifications/webhooks/:id': Type.Array(
    Type.Object(
      { op: Type.Literal('replace'), path: word('/url', '/event_types'), value: eventTypes },
      closed,
    ),
    { minItems: 1 },
  ),
} as const

export type Call = keyof typeof bodies

const checks = Object.fromEntries(Object.entries(bodies).map(([call, schema]) => [call, Compile(schema)]))

/** The problems of a body; empty if PayPal's documents allow it. */
export function problemsOf(call: Call, body: unknown): readonly string[] {
  const check = checks[call]
  if (check === undefined) return [`${call} is not in the documents`]
  return check.Check(body)
    ? []
    : [...check.Errors(body)].map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** `PayPal-Request-Id`: at most 108 characters; without it a repeated call moves money twice. */
export function isRequestId(text: string | undefined): boolean {
  return text !== undefined && /^[\x21-\x7e]{1,108}$/.test(text)
}
