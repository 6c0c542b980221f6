// JSON API of the sandbox phone (CONTRACT section 15).
import { Type } from 'typebox'
import { type App, amountOnWire, dateOnWire, parseAmount } from '../../src/http/index.ts'
import { deny, unwrap } from '../../src/kernel/result.ts'
import { parsePhoneInAddress } from '../../src/kernel/values/phones.ts'
import { fieldsOf } from '../body-fields.ts'
import { sandboxJson } from '../route-options.ts'
import type { Customer } from './customer.ts'
import { isRegistered, type PhoneMandate, type PhoneRequest } from './model.ts'
import type { TermsChange } from './terms.ts'

function withPath(...names: string[]) {
  const params = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))
  return { ...sandboxJson, schema: { hide: true, params } } as const
}

export function phoneApi(customer: Customer): (app: App) => void {
  return (app) => {
    app.get('/sandbox/api/phones/:phone', withPath('phone'), async (request) => {
      const { requests, mandates } = await customer.look(phoneIn(request.params))
      return { requests: requests.map(requestOnWire), mandates: mandates.map(phoneMandateOnWire) }
    })

    for (const kind of ['approve', 'refuse'] as const) {
      app.post(
        `/sandbox/api/phones/:phone/requests/:id/${kind}`,
        withPath('phone', 'id'),
        async (request) => {
          const { id = '' } = request.params as Record<string, string>
          const answer = kind === 'approve' ? { kind, terms: termsIn(request.body) } : { kind }
          const phone = phoneIn(request.params)
          const pin = pinIn(request.body)
          if (kind === 'approve' && pin !== undefined) unwrap(await customer.enterPin(phone, id, pin))
          return requestOnWire(unwrap(await customer.answer(phone, id, answer)))
        },
      )
    }

    const lockPath = '/sandbox/api/phones/:phone/lock'
    const lockOf = async (phone: string) => {
      const { pinTriesLeft } = await customer.look(phone)
      return { locked: pinTriesLeft === 0, pin_tries_left: pinTriesLeft }
    }
    app.get(lockPath, withPath('phone'), async ({ params }) => lockOf(phoneIn(params)))
    app.delete(lockPath, withPath('phone'), async ({ params }) => {
      const phone = phoneIn(params)
      await customer.unlock(phone)
      return lockOf(phone)
    })

    for (const kind of ['update', 'suspend', 'resume', 'cancel'] as const) {
      app.post(
        `/sandbox/api/phones/:phone/mandates/:id/${kind}`,
        withPath('phone', 'id'),
        async (request) => {
          const { id = '' } = request.params as Record<string, string>
          const phone = phoneIn(request.params)
          const terms = kind === 'update' ? termsIn(request.body) : {}
          return phoneMandateOnWire(unwrap(await customer.change(phone, id, kind, terms)))
        },
      )
    }
  }
}

/** The phone of the path, with or without its country code. Refusals: not_found. */
function phoneIn(params: unknown): string {
  const { phone: text = '' } = params as Record<string, string>
  const phone = parsePhoneInAddress(text, 'phone')
  return phone.ok && isRegistered(phone.value)
    ? phone.value
    : deny('not_found', `${text} is not registered with the mobile wallet`)
}

/** Without a PIN, the phone behaves as after the right PIN. */
function pinIn(body: unknown): string | undefined {
  const { pin } = fieldsOf(body)
  return pin == null ? undefined : String(pin)
}

function termsIn(body: unknown): TermsChange {
  const fields = fieldsOf(body)
  const { amount_limit: amount, expiry_date: day } = fields
  const limit = amount == null ? undefined : unwrap(parseAmount(amount, 'amount_limit'))
  if (day != null && typeof day !== 'string')
    return deny('invalid_parameter', 'expiry_date must be a day as yyyy-mm-dd')
  return { limit, expiryDate: day ?? undefined }
}

function requestOnWire(request: PhoneRequest) {
  const { amount, currency, mandate, mandateType } = request
  return {
    id: request.key,
    kind: request.kind,
    amount: amount === undefined ? null : amountOnWire(amount),
    currency: currency ?? null,
    ...(mandateType === undefined ? {} : { mandate_id: mandate, mandate_type: mandateType }),
    merchant: request.merchantName,
    state: request.state.toUpperCase(),
    by_mandate: request.byMandate ?? null,
    date: dateOnWire(request.createdAt),
    expires: dateOnWire(request.expiresAt),
  }
}

function phoneMandateOnWire(mandate: PhoneMandate) {
  const { limit } = mandate
  return {
    mandate_id: mandate.key,
    type: mandate.type,
    merchant: mandate.merchantName,
    state: mandate.state.toUpperCase(),
    amount_limit: limit === undefined ? null : amountOnWire(limit),
    amount_used: amountOnWire(mandate.used),
    expiry_date: mandate.expiryDate ?? null,
  }
}
