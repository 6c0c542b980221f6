// Routes of the ATM and home banking.
import type { App, AppReply, AppRequest } from '../../src/http/index.ts'
import { isUuid, newId, type Randomness } from '../../src/kernel/random.ts'
import type { Clock } from '../../src/kernel/time.ts'
import { languageFor } from '../pages/language.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxPage } from '../route-options.ts'
import { fieldsOf, readTyped } from './api.ts'
import { referenceWords } from './messages.ts'
import type { ReferenceMachines } from './network.ts'
import { openListedMax, openListOf } from './open-list.ts'
import {
  confirmationPage,
  places,
  receiptPage,
  refusalPage,
  type TypedTexts,
  typingPage,
  type Visit,
} from './pages.ts'

export interface MachineDeps {
  readonly clock: Clock
  readonly random: Randomness
}

export function referencePages(network: ReferenceMachines, deps: MachineDeps): (app: App) => void {
  const { clock, random } = deps

  async function confirm(request: AppRequest, reply: AppReply, visit: Visit): Promise<AppReply> {
    const fields = formOf(request.body)
    const typed = readTyped(fields)
    if (!typed.ok) {
      const wrong = referenceWords[visit.lang].wronglyTyped ?? typed.refusal.reason
      return sendPage(reply.code(400), typingPage(visit, fields, wrong))
    }
    const beneficiary = await network.beneficiaryOf(typed.value)
    if (beneficiary === undefined) {
      return sendPage(reply, refusalPage(visit, fields, 'unknown_reference'))
    }
    const paymentId = newId(clock.now(), random)
    return sendPage(reply, confirmationPage(visit, typed.value, beneficiary, paymentId))
  }

  async function pay(request: AppRequest, reply: AppReply, visit: Visit): Promise<AppReply> {
    const fields = formOf(request.body)
    const typed = readTyped(fields)
    const { payment_id: id } = fieldsOf(request.body)
    if (!typed.ok || typeof id !== 'string' || !isUuid(id)) {
      const { again, wronglyTyped } = referenceWords[visit.lang]
      const reason = typed.ok ? again : (wronglyTyped ?? typed.refusal.reason)
      return sendPage(reply.code(400), typingPage(visit, fields, reason))
    }
    const receipt = await network.pay({ ...typed.value, id: id.toLowerCase() })
    if (receipt.kind === 'accepted') return sendPage(reply, receiptPage(visit, typed.value, clock.now()))
    return sendPage(
      reply,
      refusalPage(visit, fields, receipt.kind === 'refused' ? receipt.reason : 'in_doubt'),
    )
  }

  return (app) => {
    for (const place of places) {
      const visit = (request: AppRequest) => ({ place, lang: languageFor(request) })
      // A link to this page can fill in the fields.
      app.get(place.path, sandboxPage, async (request, reply) => {
        const { find: searched } = fieldsOf(request.query)
        const find = typeof searched === 'string' ? searched.trim() : ''
        const references = await network.listOpen(find, openListedMax)
        const { lang } = visit(request)
        const list = openListOf({ lang, path: place.path, references, find })
        return sendPage(reply, typingPage(visit(request), formOf(request.query), undefined, list))
      })
      app.post(place.path, sandboxPage, (request, reply) => confirm(request, reply, visit(request)) as never)
      app.post(
        `${place.path}/pay`,
        sandboxPage,
        (request, reply) => pay(request, reply, visit(request)) as never,
      )
    }
  }
}

/** The fields of the form. A decimal comma becomes a point. */
function formOf(body: unknown): TypedTexts & Readonly<Record<string, unknown>> {
  const { entity, ref, amount } = fieldsOf(body)
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined)
  return { entity: text(entity), ref: text(ref), amount: text(amount)?.replace(',', '.') }
}
