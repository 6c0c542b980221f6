// Bank files and differences to providers' statements.
import { Type } from 'typebox'
import type { SettledOrder } from '../../bank-files/index.ts'
import type { App, AppRequest } from '../../http/index.ts'
import { cents, decimalText } from '../../kernel/money.ts'
import { deny, type Result, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import {
  bankFileBody,
  bankFileSchema,
  bankSchema,
  doneSchema,
  explainBody,
  exportedSchema,
  importBody,
  importedSchema,
  resolveBody,
  settleBody,
  settledSchema,
} from '../contract/operator/money.ts'
import type { BackofficeParts } from '../parts.ts'
import { centsOf } from './merchant-settings.ts'
import type { OperatorParts } from './parts.ts'
import {
  confirmedOfSome,
  confirmedOperators,
  numberOf,
  operatorPrefix,
  operators,
  uuidOf,
} from './route-parts.ts'

const shownMax = 100
/** The limit allows 8 MiB in base64. Larger files need the command or the inbox. */
const uploadBytesMax = 11 * 1024 * 1024
const path = `${operatorPrefix}bank`

const euros = (amount: bigint) => decimalText(cents(amount))

export function bankRoutes({ operator }: BackofficeParts): (app: App) => void {
  return (app) => {
    fileRoutes(operator, app)
    entryRoutes(operator, app)
    orderRoutes(operator, app)
  }
}

function fileRoutes(operator: OperatorParts, app: App): void {
  const { bank } = operator
  app.get(
    path,
    {
      config: { people: operators },
      schema: { summary: 'Read the bank’s files', response: { 200: bankSchema } },
    },
    () => overview(operator),
  )

  app.post(
    `${path}/export`,
    {
      config: { people: confirmedOperators },
      schema: {
        summary: 'Write files for the bank',
        body: Type.Object({}),
        response: { 200: exportedSchema },
      },
    },
    async () => ({
      files: (await bank.writeFiles()).map(({ name, orders, total }) => ({
        ...{ name, orders, total: decimalText(total) },
      })),
    }),
  )

  // The download is a POST, so that the action log records it.
  app.post(
    `${path}/download`,
    {
      config: { people: confirmedOperators },
      schema: {
        summary: 'Download a file for the bank',
        body: bankFileBody,
        response: { 200: bankFileSchema },
      },
    },
    async ({ body: { name } }) => {
      const content = await bank.readFile(name)
      if (content === undefined)
        return deny(
          'not_found',
          `${name} is not in the folder: it was never written, or the bank has taken it`,
        ) as never
      return { name, content }
    },
  )

  app.post(
    `${path}/import`,
    {
      bodyLimit: uploadBytesMax,
      config: { people: confirmedOperators },
      schema: { summary: 'Import a file of the bank', body: importBody, response: { 200: importedSchema } },
    },
    async ({ body: { name, content, encoding } }) => {
      const file = encoding === 'base64' ? Buffer.from(content, 'base64') : content
      const imported = await bank.importContent(name, file)
      if (!imported.ok)
        return deny('invalid_parameter', `${name} was refused completely: ${imported.refusal}`) as never
      const { kind, entries, matched, unmatched, repeated } = imported.value
      return { kind, entries, matched, unmatched, repeated }
    },
  )
}

function entryRoutes({ transfers, bank, reconciliation }: OperatorParts, app: App): void {
  app.post(
    `${path}/entries/:id/resolve`,
    {
      config: { people: confirmedOfSome },
      schema: { summary: 'Close an unmatched entry', body: resolveBody, response: { 200: doneSchema } },
    },
    async (request) => {
      const id = uuidOf((request.params as { id: string }).id, 'unmatched entry')
      const { note = '', as_transfer = false } = request.body
      if (as_transfer === (note.trim() !== ''))
        return deny('invalid_parameter', 'an entry takes either note or as_transfer') as never
      const closed = as_transfer ? await bank.takeAsTransfer(id) : await bank.resolve(id, note.trim())
      if (!closed) return deny('not_found', `there is no unmatched entry ${id}`) as never
      const walletId = as_transfer ? await transfers.walletOfTransfer(id) : undefined
      request.concerns = walletId ?? null
      if (walletId !== undefined)
        request.changes = [{ field: `transfer ${id}`, old: '', new: `wallet ${walletId}` }]
      return { done: true as const }
    },
  )

  app.post(
    `${operatorPrefix}differences/:id/explain`,
    {
      config: { people: operators },
      schema: { summary: 'Explain a difference', body: explainBody, response: { 200: doneSchema } },
    },
    async (request) => {
      const id = numberOf((request.params as { id: string }).id, 'difference')
      if (!(await reconciliation.explain(id, request.body.note.trim())))
        return deny('not_found', `there is no open difference ${id}`) as never
      return { done: true as const }
    },
  )
}

function orderRoutes({ bank }: OperatorParts, app: App): void {
  app.post(
    `${path}/orders/:id/settle`,
    {
      config: { people: confirmedOfSome },
      schema: {
        summary: 'Answer an order for the bank by hand',
        body: settleBody,
        response: { 200: settledSchema },
      },
    },
    async (request) => {
      const { answer, fee = '', reason } = request.body
      if (reason.trim() === '') return deny('missing_parameter', 'reason says how that is known') as never
      const settlement = {
        ...{ answer, reason: reason.trim(), by: by(request) },
        fee: fee.trim() === '' ? cents(0) : centsOf('fee', fee.trim()),
      }
      return ofOrder(request, await bank.settle(orderOf(request), settlement))
    },
  )

  for (const [verb, summary] of [
    ['approve', 'Approve an answer to an order for the bank'],
    ['withdraw', 'Withdraw an answer to an order for the bank'],
  ] as const)
    app.post(
      `${path}/orders/:id/${verb}`,
      {
        config: { people: confirmedOfSome },
        schema: { summary, body: Type.Object({}), response: { 200: settledSchema } },
      },
      async (request) => ofOrder(request, await bank[verb](orderOf(request), by(request))),
    )
}

async function overview({ bank, reconciliation }: OperatorParts) {
  const [waiting, orders, unmatched, files, differences] = await Promise.all([
    bank.waiting(),
    bank.openOrders(shownMax),
    bank.unmatched(shownMax),
    bank.files(shownMax),
    reconciliation.differences(undefined, shownMax),
  ])
  return {
    waiting: waiting.map(({ kind, orders, total }) => ({
      kind,
      orders: Number(orders),
      total: euros(total),
    })),
    open: orders.map((order) => ({
      ...{ id: order.id, kind: order.kind, amount: euros(order.amount), name: order.party.name },
      wallet_id: order.walletId === 0n ? null : Number(order.walletId),
      ...{ due_on: order.dueOn, answer: order.answer ?? null, hint: order.hint ?? null },
      waiting:
        order.waiting === undefined
          ? null
          : {
              ...{
                answer: order.waiting.answer,
                fee: euros(order.waiting.fee),
                reason: order.waiting.reason,
              },
              ...{ by: order.waiting.settledBy, at: toTimestamp(order.waiting.settledAt) },
            },
    })),
    unmatched: unmatched.map((entry) => ({
      ...{ id: entry.id, direction: entry.direction, amount: decimalText(entry.amount) },
      booked_on: entry.bookedOn ?? null,
      name: entry.party.name ?? null,
      text: entry.text || null,
      problem: entry.problem ?? null,
    })),
    exported: files.written.map(({ name, kind, orders, total, createdAt, writtenAt }) => ({
      ...{ name, kind, orders, total: decimalText(total), created: toTimestamp(createdAt) },
      written: writtenAt === undefined ? null : toTimestamp(writtenAt),
    })),
    imported: files.imported.map(({ id, kind, fileName, messageId, importedAt }) => ({
      ...{ id, kind, name: fileName, message_id: messageId, imported: toTimestamp(importedAt) },
    })),
    differences: differences.map((one) => ({
      ...{ id: Number(one.id), connection: Number(one.connectionId), day: one.day, age_days: one.ageDays },
      ...{ kind: one.kind, ledger: euros(one.ledgerAmount), statement: euros(one.statementAmount) },
      about: one.operationId ?? one.lineId ?? '',
    })),
  }
}

function orderOf(request: { params: unknown }): string {
  return uuidOf((request.params as { id: string }).id, 'order')
}

function by({ person }: AppRequest): string {
  return person?.email ?? ''
}

/** Logs the change for the merchant who owns the money. */
function ofOrder(request: AppRequest, result: Result<SettledOrder>): Pick<SettledOrder, 'state'> {
  const { order, state, change } = unwrap(result)
  request.concerns = order.walletId === 0n ? null : order.walletId
  request.changes = [change]
  return { state }
}
