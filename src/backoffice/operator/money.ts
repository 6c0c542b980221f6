// Suspense money and transfers without a wallet.
import type { App, AppRequest } from '../../http/index.ts'
import { decimalText } from '../../kernel/money.ts'
import { isUuid } from '../../kernel/random.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { gatewayWalletId, type Posting } from '../../ledger/index.ts'
import type { Suspense } from '../../suspense/index.ts'
import {
  type AssignPreviewQuery,
  assignPreviewQuery,
  assignPreviewSchema,
  doneSchema,
  suspenseAssignBody,
  suspenseEntrySchema,
  suspenseQuery,
  suspenseRefundBody,
  suspenseSchema,
  transferAssignBody,
  transfersSchema,
} from '../contract/operator/money.ts'
import type { BackofficeParts } from '../parts.ts'
import { confirmedOfSome, ofNamedMerchant, operatorPrefix, operators, uuidOf } from './route-parts.ts'

const shownMax = 500

type Entry = Awaited<ReturnType<Suspense['list']>>[number]

export function moneyRoutes(parts: BackofficeParts): (app: App) => void {
  return (app) => {
    suspenseRoutes(parts, app)
    transferRoutes(parts, app)
  }
}

function suspenseRoutes({ operator: { suspense }, operations }: BackofficeParts, app: App): void {
  const entryId = (request: { params: unknown }) => uuidOf((request.params as { id: string }).id, 'entry')
  app.get(
    `${operatorPrefix}suspense`,
    {
      config: { people: operators },
      schema: { summary: 'List suspense', querystring: suspenseQuery, response: { 200: suspenseSchema } },
    },
    async ({ query: { all = false } }) => ({ entries: (await suspense.list(all, shownMax)).map(onWire) }),
  )

  app.post(
    `${operatorPrefix}suspense/:id/refund`,
    {
      config: { people: confirmedOfSome },
      schema: {
        summary: 'Give money in suspense back',
        body: suspenseRefundBody,
        response: { 200: suspenseEntrySchema },
      },
    },
    async (request) => {
      const { iban, name } = request.body
      if ((iban === undefined) !== (name === undefined))
        return deny('missing_parameter', 'iban and name belong together') as never
      const to = iban === undefined || name === undefined ? undefined : { iban, name: name.trim() }
      return ofEntry(request, unwrap(await suspense.refund(entryId(request), to)))
    },
  )

  app.post(
    `${operatorPrefix}suspense/:id/assign`,
    {
      config: { people: confirmedOfSome },
      schema: {
        summary: 'Assign money in suspense to a merchant',
        body: suspenseAssignBody,
        response: { 200: suspenseEntrySchema },
      },
    },
    async (request) => {
      return ofEntry(request, unwrap(await suspense.assign(entryId(request), assigneeOf(request.body))))
    },
  )

  app.get(
    `${operatorPrefix}suspense/:id/assign`,
    {
      config: { people: ofNamedMerchant },
      schema: {
        summary: 'Preview the assignment of suspense money',
        querystring: assignPreviewQuery,
        response: { 200: assignPreviewSchema },
      },
    },
    async (request) =>
      shown(
        operations,
        unwrap(
          await suspense.previewAssignment(entryId(request), assigneeOf(request.query as AssignPreviewQuery)),
        ),
      ),
  )
}

function transferRoutes({ wallets, operator: { transfers }, operations }: BackofficeParts, app: App): void {
  app.get(
    `${operatorPrefix}transfers/:id/assign`,
    {
      config: { people: ofNamedMerchant },
      schema: {
        summary: 'Preview the assignment of a transfer',
        querystring: assignPreviewQuery,
        response: { 200: assignPreviewSchema },
      },
    },
    async (request) => {
      const id = uuidOf((request.params as { id: string }).id, 'transfer')
      return shown(
        operations,
        unwrap(await transfers.previewAssign(id, BigInt((request.query as AssignPreviewQuery).wallet_id))),
      )
    },
  )

  app.get(
    `${operatorPrefix}transfers`,
    {
      config: { people: operators },
      schema: { summary: 'List transfers without a wallet', response: { 200: transfersSchema } },
    },
    async () => ({
      transfers: (await transfers.transfers(true, shownMax)).map((one) => ({
        ...{ id: one.id, text: one.text, iban: one.iban ?? null, amount: decimalText(one.amount) },
        ...{ problem: one.problem ?? null, date: toTimestamp(one.createdAt) },
      })),
    }),
  )

  app.post(
    `${operatorPrefix}transfers/:id/assign`,
    {
      config: { people: confirmedOfSome },
      schema: {
        summary: 'Assign a transfer to a wallet',
        body: transferAssignBody,
        response: { 200: doneSchema },
      },
    },
    async (request) => {
      const id = uuidOf((request.params as { id: string }).id, 'transfer')
      const walletId = BigInt(request.body.wallet_id)
      if ((await wallets.find(walletId)) === undefined)
        return deny('not_found', `there is no wallet ${walletId}`) as never
      unwrap(await transfers.assign(id, walletId))
      request.concerns = walletId
      request.changes = [{ field: `transfer ${id}`, old: '', new: `wallet ${walletId}` }]
      return { done: true as const }
    },
  )
}

/** The gateway's wallet is given, so that every other wallet is shown by name. */
async function shown(operations: BackofficeParts['operations'], postings: readonly Posting[]) {
  return { postings: (await operations.showPostings(postings, { id: gatewayWalletId })) as never }
}

function assigneeOf({
  wallet_id,
  operation_id,
}: Partial<AssignPreviewQuery>): Parameters<Suspense['assign']>[1] {
  const operationId = operation_id?.trim().toLowerCase()
  if (operationId !== undefined && !isUuid(operationId))
    return deny('invalid_parameter', 'operation_id must be the id of a payment') as never
  return { walletId: wallet_id === undefined ? undefined : BigInt(wallet_id), operationId }
}

/** Logs the change for the merchant who owns the money. */
function ofEntry(request: AppRequest, entry: Entry) {
  const walletId = entry.assignedWalletId ?? entry.walletId
  request.concerns = walletId === 0n ? null : walletId
  request.changes = [{ field: `suspense ${entry.id}`, old: 'OPEN', new: entry.state }]
  return onWire(entry)
}

function onWire(entry: Entry) {
  const { walletId, assignedWalletId } = entry
  return {
    id: entry.id,
    state: entry.state,
    amount: decimalText(entry.amount),
    reason: entry.reason,
    method: entry.method,
    reference: entry.reference,
    wallet_id: walletId === 0n ? null : Number(walletId),
    paid: toTimestamp(entry.paidAt),
    problem: entry.problem ?? null,
    assigned_wallet_id: assignedWalletId === undefined ? null : Number(assignedWalletId),
    operation_id: entry.operationId ?? null,
  }
}
