// Payments: search, export, and one with its history.
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { type App, callerOf, csvQuery, idOf, readSeparator } from '../../http/index.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { unwrap } from '../../kernel/result.ts'
import { searchOperations } from '../../operations/index.ts'
import { walletPrefix } from '../access/person.ts'
import {
  askersQuery,
  askersSchema,
  paymentSchema,
  paymentsQuery,
  paymentsSchema,
} from '../contract/payments.ts'
import type { BackofficeParts } from '../parts.ts'
import { askersOfOperations } from '../payments/askers.ts'
import { csvOf, listedPayment } from '../payments/listed.ts'
import { onePayment } from '../payments/one-payment.ts'
import { readSearch } from '../payments/search-query.ts'

const paymentsPerPage = 50
/** Lines that an export reads at a time, to limit its memory. */
const linesPerPage = 1000

export function paymentRoutes(parts: BackofficeParts): (app: App) => void {
  const { database, gatewayClock, wallets } = parts

  return (app) => {
    app.get(
      `${walletPrefix}payments`,
      {
        schema: {
          summary: 'Search payments',
          querystring: paymentsQuery,
          response: { 200: paymentsSchema },
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const { search, after } = readSearch(request.query)
        const found = await searchOperations(database, walletId, search, { after, limit: paymentsPerPage })
        const { operations, next } = found
        return { payments: operations.map(listedPayment), ...(next !== undefined && { next }) }
      },
    )

    app.get(
      `${walletPrefix}payments.csv`,
      {
        schema: {
          summary: 'Export payments',
          querystring: Type.Object({ ...paymentsQuery.properties, ...csvQuery }),
        },
      },
      (request, reply) => {
        const { walletId } = callerOf(request)
        const { search } = readSearch(request.query)
        const lines = csvOf(
          (after) => searchOperations(database, walletId, search, { after, limit: linesPerPage }),
          unwrap(readSeparator(request.query)),
        )
        return reply
          .type('text/csv; charset=utf-8')
          .header(
            'content-disposition',
            `attachment; filename="payments-${lisbonDayOf(gatewayClock.now())}.csv"`,
          )
          .send(Readable.from(lines))
      },
    )

    app.get(
      `${walletPrefix}askers`,
      {
        schema: {
          summary: 'List the people who requested operations',
          querystring: askersQuery,
          response: { 200: askersSchema },
        },
      },
      (request) => {
        const { walletId } = callerOf(request)
        return askersOfOperations(database, walletId, request.query.ids.split(','))
      },
    )

    app.get(
      `${walletPrefix}payments/:id`,
      {
        schema: {
          summary: 'Read a payment with its history',
          params: Type.Object({ id: Type.String() }),
          response: { 200: paymentSchema },
        },
      },
      async (request) => {
        const wallet = await wallets.get(callerOf(request).walletId)
        return onePayment(parts, wallet, unwrap(idOf(request.params.id, 'operation')))
      },
    )
  }
}
