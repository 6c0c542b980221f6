// Routes of the bank's page and JSON (CONTRACT section 15).
import { Type } from 'typebox'
import { type App, type AppReply, amountOnWire, parseAmount } from '../../src/http/index.ts'
import { isUuid, randomId } from '../../src/kernel/random.ts'
import { ok, type Refusal, type Result, refuse, unwrap } from '../../src/kernel/result.ts'
import { readIban } from '../../src/kernel/values/ibans.ts'
import type { TransferTaken } from '../../src/rails/index.ts'
import { type Fields, fieldsOf, textOf } from '../body-fields.ts'
import type { SandboxedGateway } from '../gateway.ts'
import type { Language } from '../issuer/messages.ts'
import { languageFor } from '../pages/language.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxJson, sandboxPage } from '../route-options.ts'
import { bankWords } from './messages.ts'
import { entriesListedMax } from './model.ts'
import { type BankView, bankPage, bankPath } from './page.ts'
import type { BankDeps } from './rails.ts'
import { type Outcome, outcomes, settleByHand } from './settle.ts'
import { listEntries } from './store.ts'

const transferCentsMax = 99_999_999_999n
const withOperation = {
  ...sandboxJson,
  schema: { hide: true, params: Type.Object({ id: Type.String() }) },
} as const

export function bankRoutes(
  deps: BankDeps,
  { notices, administration }: SandboxedGateway,
): (app: App) => void {
  const { database, random } = deps

  async function sendBank(
    reply: AppReply,
    change: Pick<BankView, 'lang' | 'notice' | 'typed'>,
  ): Promise<AppReply> {
    const [debits, transfers, taken, texts] = await Promise.all([
      listEntries(database, 'debits', entriesListedMax),
      listEntries(database, 'transfers', entriesListedMax),
      administration.transfersTaken(entriesListedMax),
      administration.topUpTexts(),
    ])
    return sendPage(reply, bankPage({ debits, transfers, taken, texts, ...change }))
  }

  async function settle(id: string, fields: Fields): Promise<Result<Outcome>> {
    const outcome = readOutcome(fields)
    if (!outcome.ok) return outcome
    if (!isUuid(id)) return refuse('not_found', `the bank knows no operation ${id}`)
    return settleByHand(deps, notices, id.toLowerCase(), outcome.value)
  }

  async function transfer(fields: Fields): Promise<Result<TransferTaken>> {
    const text = textOf(fields, 'reference_text', 'RF40 CMP1 000')
    if (!text.ok) return text
    const amount = parseAmount(fields.amount, 'amount')
    if (!amount.ok) return amount
    if (amount.value < 1n) return refuse('below_minimum_amount', 'amount must be at least 0.01')
    if (amount.value > transferCentsMax)
      return refuse('above_maximum_amount', 'amount must be at most 999999999.99')
    const iban = ibanOf(fields.iban)
    if (!iban.ok) return iban
    const arriving = { key: randomId(random), text: text.value, amount: amount.value, currency: 'EUR' }
    return ok(await notices.incomingTransfer({ ...arriving, iban: iban.value }))
  }

  return (app) => {
    app.post('/sandbox/api/sepa/:id/settle', withOperation, async ({ params, body }) => {
      const state = unwrap(await settle(params.id, fieldsOf(body)))
      return { operation_id: params.id, state }
    })

    app.post('/sandbox/api/bank/transfer', sandboxJson, async ({ body }) => {
      const { id, operationId, walletId, problem, amount } = unwrap(await transfer(fieldsOf(body)))
      const taken = { accepted: true, transfer_id: id, amount: amountOnWire(amount) }
      return operationId === undefined
        ? { ...taken, assigned: false, reason: problem }
        : { ...taken, assigned: true, operation_id: operationId, wallet_id: Number(walletId) }
    })

    app.get(bankPath, sandboxPage, async (request, reply) => sendBank(reply, { lang: languageFor(request) }))

    app.post(`${bankPath}/settle`, sandboxPage, async (request, reply) => {
      const fields = fieldsOf(request.body)
      const lang = languageFor(request)
      const settled = await settle(String(fields.operation ?? ''), fields)
      return settled.ok
        ? sendBank(reply, { lang, notice: { wrong: false, text: bankWords[lang].answered[settled.value] } })
        : sendBank(reply.code(400), { lang, notice: wrong(settled.refusal, lang) })
    })

    app.post(`${bankPath}/transfer`, sandboxPage, async (request, reply) => {
      const fields = fieldsOf(request.body)
      const lang = languageFor(request)
      const made = await transfer(fields)
      if (made.ok) return sendBank(reply, { lang, notice: { wrong: false, text: inWords(made.value, lang) } })
      const typed = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
      return sendBank(reply.code(400), { lang, notice: wrong(made.refusal, lang), typed })
    })
  }
}

function wrong({ reason }: Refusal, lang: Language) {
  return { wrong: true, text: bankWords[lang].refused ?? reason }
}

function inWords({ walletId, problem = '' }: TransferTaken, lang: Language): string {
  const words = bankWords[lang]
  return walletId === undefined ? words.transferKept(problem) : words.transferArrived(walletId)
}

function readOutcome({ outcome }: Fields): Result<Outcome> {
  if (outcome === undefined || outcome === null) return refuse('missing_parameter', 'outcome is required')
  const known = outcomes.find((word) => typeof outcome === 'string' && word === outcome.toLowerCase())
  return known === undefined ? refuse('invalid_parameter', 'outcome must be paid or returned') : ok(known)
}

function ibanOf(value: unknown): Result<string | undefined> {
  if (value === undefined || value === null || value === '') return ok(undefined)
  const iban = typeof value === 'string' ? readIban(value) : undefined
  return iban !== undefined
    ? ok(iban)
    : refuse('invalid_parameter', 'iban must be a valid IBAN such as PT50000201231234567890154')
}
