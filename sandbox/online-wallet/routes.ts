// Routes of the online wallet's pages.
import { Type } from 'typebox'
import type { App, AppReply, AppRequest } from '../../src/http/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { fieldsOf } from '../body-fields.ts'
import { type Language, languageOf } from '../issuer/messages.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxPage } from '../route-options.ts'
import { type Decide, payerOf } from './decide.ts'
import { walletWords } from './messages.ts'
import type { Order } from './model.ts'
import { logInPage, overPage, reviewPage, unknownOrderPage } from './pages.ts'
import { type PaymentsView, paymentsPage } from './payments-page.ts'
import { type OnlineWalletDeps, orderPath } from './rail.ts'
import { type Reversals, reversalReasonDefault } from './reversals.ts'
import { listPaidOrders } from './reversals-store.ts'
import { findOrder } from './store.ts'

const paymentsListedMax = 50

const emailPattern = /^[^\s@<>"']{1,60}@[^\s@<>"']+\.[^\s@<>"']+$/
const withKey = {
  ...sandboxPage,
  schema: { hide: true, params: Type.Object({ key: Type.String() }) },
} as const
/** The forms of these pages redirect to the shop, which is another site. */
const leaving = { leadsAway: true } as const

export function onlineWalletRoutes(
  { database, clock }: OnlineWalletDeps,
  decide: Decide,
  reversals: Reversals,
): (app: App) => void {
  /** The order of the path. Undefined if this sent another page, because the order is not open. */
  async function openOrderOf(request: AppRequest, reply: AppReply): Promise<Order | undefined> {
    const { key } = request.params as { key: string }
    const order = isUuid(key) ? await findOrder(database, key.toLowerCase(), clock.now()) : undefined
    if (order?.state === 'open') return order
    if (order === undefined) sendPage(reply.code(404), unknownOrderPage(languageFor(request)))
    else sendPage(reply, overPage(order, order.state, languageFor(request, order)))
    return undefined
  }

  async function sendPayments(request: AppRequest, reply: AppReply, notice?: PaymentsView['notice']) {
    const paid = await listPaidOrders(database, paymentsListedMax)
    return sendPage(reply, paymentsPage({ lang: languageFor(request), paid, notice }))
  }

  return (app) => {
    app.get(orderPath, sandboxPage, async (request, reply) => sendPayments(request, reply))

    app.post(orderPath, sandboxPage, async (request, reply) => {
      const { step, operation } = fieldsOf(request.body)
      const words = walletWords[languageFor(request)].payments
      const [done, text] =
        step === 'reinstate'
          ? [await reversals.giveAgain(String(operation)), words.givenAgain]
          : [await reversals.reverse(String(operation), reversalReasonDefault), words.reversed]
      return done.ok
        ? sendPayments(request, reply, { wrong: false, text })
        : sendPayments(request, reply.code(409), { wrong: true, text: words.refused })
    })

    app.get(`${orderPath}/:key`, withKey, async (request, reply) => {
      const order = await openOrderOf(request, reply)
      return order === undefined
        ? reply
        : sendPage(reply, logInPage(order, languageFor(request, order)), leaving)
    })

    app.post(`${orderPath}/:key`, withKey, async (request, reply) => {
      const order = await openOrderOf(request, reply)
      if (order === undefined) return reply
      const language = languageFor(request, order)
      const { step, email } = fieldsOf(request.body)
      const payer = payerOf(email)
      if (step === 'cancel') await decide(order.key, { kind: 'cancel' })
      else if (!emailPattern.test(payer))
        return sendPage(reply.code(422), logInPage(order, language, payer), leaving)
      else if (step === 'agree') await decide(order.key, { kind: 'agree', payer })
      else return sendPage(reply, reviewPage(order, payer, language), leaving)
      return reply.redirect(order.returnUrl, 303)
    })
  }
}

function languageFor(request: AppRequest, order?: Order): Language {
  const { lang } = request.query as { lang?: unknown }
  if (lang === 'pt' || lang === 'en') return lang
  return order?.language ?? languageOf(request.headers['accept-language'])
}
