// Routes of the sandbox phone.
import { Type } from 'typebox'
import { type App, type AppReply, type AppRequest, parseAmount } from '../../../src/http/index.ts'
import type { Result } from '../../../src/kernel/result.ts'
import type { Language } from '../../issuer/messages.ts'
import { languageFor } from '../../pages/language.ts'
import { sendPage } from '../../pages/layout.ts'
import { sandboxPage } from '../../route-options.ts'
import type { PhoneContext } from '../context.ts'
import type { Customer } from '../customer.ts'
import { isRegistered } from '../model.ts'
import { listRecentPhones } from '../store.ts'
import type { TermsChange } from '../terms.ts'
import { phonePage } from './app-page.ts'
import { numbersPage } from './numbers-page.ts'
import { phonePath, phonesPath } from './paths.ts'
import type { PhoneProblem } from './view.ts'

const recentMax = 12
const changes = ['update', 'suspend', 'resume', 'cancel'] as const

function withParams(...names: string[]) {
  const params = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))
  return { ...sandboxPage, schema: { hide: true, params } } as const
}

export function phonePages({ database, clock }: PhoneContext, customer: Customer): (app: App) => void {
  async function pickUp(request: AppRequest, reply: AppReply, wrong?: string): Promise<AppReply> {
    const recent = await listRecentPhones(database, clock.now(), recentMax)
    return sendPage(
      wrong === undefined ? reply : reply.code(404),
      numbersPage(recent, languageFor(request), wrong),
    )
  }

  /** The number in the path. Undefined if this sent another page, because nobody has the number. */
  async function phoneOf(request: AppRequest, reply: AppReply): Promise<string | undefined> {
    const { phone = '' } = request.params as Record<string, string>
    const number = numberOf(phone)
    if (number === undefined) await pickUp(request, reply, phone)
    return number
  }

  function back(reply: AppReply, to: { phone: string; lang: Language; key: string }, problem?: PhoneProblem) {
    const about = problem === undefined ? '' : `&problem=${problem}&on=${encodeURIComponent(to.key)}`
    return reply.redirect(phonePath(to.phone, to.lang) + about, 303)
  }

  return (app) => {
    app.get(phonesPath, sandboxPage, async (request, reply) => {
      const { number } = request.query as { number?: unknown }
      if (typeof number !== 'string' || number.trim() === '') return pickUp(request, reply)
      const phone = numberOf(number)
      if (phone === undefined) return pickUp(request, reply, number)
      return reply.redirect(phonePath(phone, languageFor(request)), 303)
    })

    app.get(`${phonesPath}/:phone`, withParams('phone'), async (request, reply) => {
      const phone = await phoneOf(request, reply)
      if (phone === undefined) return reply
      const { problem, on } = request.query as Record<string, unknown>
      const known = (['pin', 'terms', 'late'] as const).find((kind) => kind === problem)
      const view = { phone, lang: languageFor(request), now: clock.now(), ...(await customer.look(phone)) }
      const shown = known === undefined ? undefined : { kind: known, key: String(on) }
      return sendPage(reply, phonePage({ ...view, problem: shown }), { asks: true })
    })

    app.post(`${phonesPath}/:phone/requests/:key`, withParams('phone', 'key'), async (request, reply) => {
      const phone = await phoneOf(request, reply)
      if (phone === undefined) return reply
      const { key = '' } = request.params as Record<string, string>
      const to = { phone, lang: languageFor(request), key }
      const form = formOf(request)
      if (form.decision === 'refuse')
        return back(reply, to, problemOf(await customer.answer(phone, key, { kind: 'refuse' })))
      const entered = await customer.enterPin(phone, key, form.pin ?? '')
      if (!entered.ok) return back(reply, to, problemOf(entered, 'pin'))
      const terms = termsIn(form)
      if (terms === undefined) return back(reply, to, 'terms')
      return back(reply, to, problemOf(await customer.answer(phone, key, { kind: 'approve', terms })))
    })

    app.post(`${phonesPath}/:phone/unlock`, withParams('phone'), async (request, reply) => {
      const phone = await phoneOf(request, reply)
      if (phone === undefined) return reply
      await customer.unlock(phone)
      return back(reply, { phone, lang: languageFor(request), key: '' })
    })

    app.post(`${phonesPath}/:phone/mandates/:key`, withParams('phone', 'key'), async (request, reply) => {
      const phone = await phoneOf(request, reply)
      if (phone === undefined) return reply
      const { key = '' } = request.params as Record<string, string>
      const to = { phone, lang: languageFor(request), key }
      const form = formOf(request)
      const change = changes.find((kind) => kind === form.change)
      const terms = termsIn(form)
      if (change === undefined || terms === undefined) return back(reply, to, 'terms')
      return back(reply, to, problemOf(await customer.change(phone, key, change, terms)))
    })
  }
}

/** @param wrong the input to mark after the refusal invalid_parameter */
function problemOf(result: Result<unknown>, wrong: 'pin' | 'terms' = 'terms'): PhoneProblem | undefined {
  if (result.ok) return undefined
  // The page shows that the phone is locked, so no further message is needed.
  if (result.refusal.kind === 'pin_retries_exhausted') return undefined
  return result.refusal.kind === 'invalid_parameter' ? wrong : 'late'
}

/** Reads a number with or without its country code. Undefined if nobody has it. */
function numberOf(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^(\+|00)?351(?=\d{9}$)/, '')
  const phone = `+351${digits}`
  return isRegistered(phone) ? phone : undefined
}

/** Reads a limit with a decimal comma or point. Undefined if it is not an amount. */
function termsIn({
  amount_limit: limit,
  expiry_date: expiryDate,
}: Readonly<Record<string, string>>): TermsChange | undefined {
  if (limit === undefined) return { expiryDate }
  const amount = parseAmount(limit.replace(/[\s€]/g, '').replace(',', '.'), 'amount_limit')
  return amount.ok ? { limit: amount.value, expiryDate } : undefined
}

function formOf({ body }: AppRequest): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
