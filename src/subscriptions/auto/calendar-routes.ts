// The calendar of automatic charges over HTTP.
import { Type } from 'typebox'
import {
  type App,
  amountField,
  amountOnWire,
  answers,
  callerOf,
  dayRangeQuery,
  exampleId,
  idField,
  listOf,
  pageQuery,
  parseLisbonDayRange,
  parsePage,
} from '../../http/index.ts'
import { cents } from '../../kernel/money.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import { after, day, type Instant } from '../../kernel/time.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { subscriptionAuth } from '../routes.ts'
import { type Entry, listCalendar, type Results, resultsBetween } from './calendar.ts'
import { autoChargeStatuses, type Outcome } from './model.ts'
import { autoChargeExample, autoChargeOnWire, autoChargeSchema, resultWords } from './schemas.ts'

const resultsDays = 30

const entrySchema = Type.Object(
  {
    subscription_id: idField('The subscription.'),
    ext_subscriptionid: Type.Optional(Type.String({ description: 'Your reference of the subscription.' })),
    description: Type.Optional(Type.String({ description: 'Name of the subscription.' })),
    auto_charge: autoChargeSchema,
  },
  { title: 'AutoChargeEntry', description: 'A subscription that charges itself.' },
)

const listSchema = listOf(entrySchema, 'AutoChargeList', 'A page of the calendar.')
const count = (description: string) => Type.Integer({ description })

const resultsSchema = Type.Object(
  {
    cycles: count('Cycles charged in these days. The attempts of a cycle count once.'),
    paid_at_once: count('Paid at the first attempt.'),
    recovered: count('Paid at a later attempt.'),
    retrying: count('Not paid yet: another attempt or its answer follows.'),
    failed: count('Not paid, and no attempt follows.'),
    recovered_amount: amountField('Total of the recovered charges.'),
    failed_amount: amountField('Total of the failed charges.'),
    recovered_share: Type.Optional(
      Type.Number({
        description: 'Recovered charges among those that were refused at first and are decided: from 0 to 1.',
      }),
    ),
    reasons: Type.Array(
      Type.Object(
        {
          error: Type.String({ description: 'Reason of the first refusal, in a word.' }),
          charges: count('Cycles with this reason.'),
        },
        { title: 'RefusalCount', description: 'A reason and its number.' },
      ),
      { description: 'Why first attempts were refused, the most frequent first.' },
    ),
  },
  { title: 'AutoChargeResults', description: 'Results of automatic charges.' },
)

export function calendarRoutes({ database, clock }: SubscriptionsDeps): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/auto_charges',
      {
        config: { auth: subscriptionAuth, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listAutoCharges',
          summary: 'List automatic charges, the next one first',
          description:
            'Subscriptions that charge themselves and match all filters. The days filter what is due.',
          tags: ['Subscriptions'],
          querystring: Type.Object({
            ...pageQuery,
            ...dayRangeQuery,
            status: Type.Optional(
              Type.String({ description: `Filter: one of ${autoChargeStatuses.join(', ')}.` }),
            ),
            result: Type.Optional(
              Type.String({
                description: `Filter: result of the latest attempt, one of ${resultWords.join(', ')}.`,
              }),
            ),
          }),
          response: answers(listSchema, {
            total: 1,
            elements: [
              {
                subscription_id: exampleId,
                ext_subscriptionid: 'S-42',
                description: 'Magazine, monthly',
                auto_charge: autoChargeExample,
              },
            ],
          }),
        },
      },
      async (request) => {
        const { status, result, startdate, enddate } = request.query
        const page = unwrap(parsePage(request.query))
        const range = unwrap(parseLisbonDayRange(startdate, enddate))
        const asked = unwrap(wordOf('status', status, autoChargeStatuses))
        const word: Outcome | undefined = unwrap(wordOf('result', result, resultWords))
        const filter = { ...range, statuses: asked && [asked], outcomes: word && [word] }
        const { total, entries } = await listCalendar(database, callerOf(request).walletId, filter, page)
        return { total, elements: entries.map(entryOnWire) as never }
      },
    )

    app.get(
      '/api/v2/auto_charges/results',
      {
        config: { auth: subscriptionAuth, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'getAutoChargeResults',
          summary: 'Read the results of automatic charges',
          description: `By the day of the charge. Default: the last ${resultsDays} days.`,
          tags: ['Subscriptions'],
          querystring: Type.Object(dayRangeQuery),
          response: answers(resultsSchema, {
            ...{ cycles: 120, paid_at_once: 108, recovered: 8, retrying: 1, failed: 3 },
            ...{ recovered_amount: 79.92, failed_amount: 29.97, recovered_share: 0.7273 },
            reasons: [{ error: 'insufficient_funds', charges: 12 }],
          }),
        },
      },
      async (request) => {
        const { startdate, enddate } = request.query
        const { from, until } = unwrap(parseLisbonDayRange(startdate, enddate))
        const last = until ?? after(clock.now(), day)
        const first: Instant = from ?? after(last, -(resultsDays + 1) * day)
        return resultsOnWire(await resultsBetween(database, callerOf(request).walletId, first, last)) as never
      },
    )
  }
}

function wordOf<Word extends string>(
  field: string,
  asked: string | undefined,
  known: readonly Word[],
): Result<Word | undefined> {
  if (asked === undefined) return ok(undefined)
  const word = known.find((one) => one === asked.toUpperCase())
  return word === undefined
    ? refuse('invalid_parameter', `${field} must be one of ${known.join(', ')}`)
    : ok(word)
}

function entryOnWire({ auto, subscription }: Entry) {
  return {
    subscription_id: subscription.id,
    ext_subscriptionid: subscription.extSubscriptionId,
    description: subscription.description,
    auto_charge: autoChargeOnWire(auto, subscription),
  }
}

const shareDigits = 4

function resultsOnWire(results: Results) {
  const { recovered, failed } = results
  const refused = recovered + failed
  return {
    ...{ cycles: results.cycles, paid_at_once: results.paidAtOnce, recovered },
    ...{ retrying: results.retrying, failed },
    recovered_amount: amountOnWire(cents(results.recoveredAmount)),
    failed_amount: amountOnWire(cents(results.failedAmount)),
    ...(refused > 0 && { recovered_share: Number((recovered / refused).toFixed(shareDigits)) }),
    reasons: results.reasons,
  }
}
