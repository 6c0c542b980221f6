// The first page: figures by day, and pending work.
import { lapsingSoon } from '../../authorizations/index.ts'
import { countFailingDeliveries } from '../../callbacks/index.ts'
import { type App, amountOnWire, callerOf } from '../../http/index.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { cents } from '../../kernel/money.ts'
import { firstIdOf } from '../../kernel/random.ts'
import { after, day } from '../../kernel/time.ts'
import { figuresByDay, openReferencePayments } from '../../operations/index.ts'
import { failedCharges } from '../../subscriptions/index.ts'
import { walletPrefix } from '../access/person.ts'
import { homeSchema } from '../contract/home.ts'
import type { BackofficeParts } from '../parts.ts'
import { firstDayOf, homeFigures } from '../payments/home-figures.ts'

/** Authorizations that end within this time are shown. */
const lapsingWithinDays = 3
const authorizedForDaysMax = 32
const failedWithinDays = 7

export function homeRoutes({ database, gatewayClock: clock }: BackofficeParts): (app: App) => void {
  return (app) => {
    app.get(
      `${walletPrefix}home`,
      { schema: { summary: 'Read sales and pending work', response: { 200: homeSchema } } },
      async (request) => {
        const { walletId } = callerOf(request)
        const now = clock.now()
        const today = lisbonDayOf(now)
        const recent = firstIdOf(after(now, -failedWithinDays * day))
        const [figures, references, open, authorizations, charges, callbacks] = await Promise.all([
          figuresByDay(database, walletId, { first: firstDayOf(today), last: today }),
          openReferencePayments(database, walletId),
          lapsingSoon(database, walletId, now, after(now, authorizedForDaysMax * day)),
          lapsingSoon(database, walletId, now, after(now, lapsingWithinDays * day)),
          failedCharges(database, walletId, recent),
          countFailingDeliveries(database, walletId, recent),
        ])
        return {
          ...homeFigures(figures, today),
          waiting: {
            references: { count: references.count, amount: amountOnWire(cents(references.amount)) },
            open_authorizations: { count: open.count, amount: amountOnWire(cents(open.remaining)) },
            authorizations: {
              count: authorizations.count,
              amount: amountOnWire(cents(authorizations.remaining)),
            },
            charges: { count: charges.count, amount: amountOnWire(cents(charges.amount)) },
            callbacks: { retried: callbacks.retried, given_up: callbacks.givenUp },
          },
        }
      },
    )
  }
}
