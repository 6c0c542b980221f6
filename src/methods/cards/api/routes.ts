// The card API over HTTP (SPEC.md "Card API").
import { type Static, Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  answers,
  callerOf,
  describeWebhooks,
  pathId,
  sendText,
} from '../../../http/index.ts'
import { withIdempotency } from '../../../idempotency/index.ts'
import { deny, unwrap } from '../../../kernel/result.ts'
import type { Caller } from '../../../kernel/values/permissions.ts'
import { cardPaymentExample, rereadOperation } from '../../../operations/for-movements.ts'
import { operationSchema } from '../../../operations/index.ts'
import { unavailableReason, type Wallet } from '../../../wallets/index.ts'
import { cards } from '../facts.ts'
import type { StoredCard } from '../vault/index.ts'
import {
  type CardApiContext,
  type CardPaymentType,
  cardFormOf,
  declined,
  paymentForms,
  payWithToken,
  tokenOf,
} from './pay.ts'
import { payWithCardData } from './pay-with-card-data.ts'
import {
  authenticationSchema,
  type PaymentBody,
  paymentBody,
  storeCardBody,
  storedCardExample,
  storedCardSchema,
  webhooks,
} from './schemas.ts'
import { storeCard } from './store-card.ts'

const cardAuth = { permission: 'card', rights: ['partner'], esb: true } as const
const tokenParameter = Type.Object({ token: pathId('card, its token') })
type TokenParameter = Static<typeof tokenParameter>

const waitingExample = {
  ...cardPaymentExample,
  status: 'PENDING',
  amount_net: 10.5,
  fee: 0,
  refundable: false,
  cardsecure_url_redirect: `https://pay.example/secure/${cardPaymentExample.id}`,
}
const withCardData =
  'With card data the answer is PENDING with `cardsecure_url_redirect`: send the customer there to authenticate. A callback reports the result. With the token of a stored card the answer is COMPLETED, or the refusal 30007 with the `operation_id` of the failed payment.'
const payment = {
  operationId: 'createCardPayment',
  summary: 'Pay by card',
  description: `Charges a card. ${withCardData}`,
  response: answers(operationSchema, waitingExample),
}
const authorization = {
  operationId: 'createCardAuthorization',
  summary: 'Reserve an amount on a card',
  description: `Reserves an amount on a card. Capture or release it within a month. ${withCardData}`,
  response: answers(operationSchema, { ...waitingExample, type: 'AUTH' }),
}

export function cardPaymentRoutes(
  context: CardApiContext,
  deleteCard: (stored: StoredCard) => Promise<void>,
): (app: App) => void {
  const { core, wallets, operations, vault } = context

  async function pay(request: AppRequest, reply: AppReply, type: CardPaymentType): Promise<AppReply> {
    const caller = callerOf(request)
    const wallet = served(await wallets.get(caller.walletId))
    const body = request.body as PaymentBody
    return withIdempotency(request, reply, {
      async work(key) {
        const asked = { type, wallet, body, key, caller, plainAllowed: plainAllowed(caller) }
        const form = unwrap(cardFormOf(body, paymentForms))
        return form.kind === 'token'
          ? payWithToken(context, asked, form.token)
          : payWithCardData(context, asked)
      },
      reread: (operationId, mayMove) =>
        rereadOperation({ ...core, show: operations.show }, { operationId, mayMove }, { wallet, declined }),
    })
  }

  async function storedCard({ walletId }: Caller, token: string): Promise<StoredCard> {
    const stored = await vault.find(walletId, unwrap(tokenOf(token)))
    // The routes of customers show and delete the cards that customers saved.
    return (
      (stored?.keptFor === 'customer' ? undefined : stored) ??
      deny('not_found', 'there is no card with that token')
    )
  }

  return (app) => {
    describeWebhooks(app, webhooks)
    for (const [url, type, words] of [
      ['/prows/v2/payment', 'PAYMENT', payment],
      ['/prows/v2/authorization', 'AUTH', authorization],
    ] as const) {
      app.post(
        url,
        {
          config: {
            auth: cardAuth,
            refusals: [
              'missing_parameter',
              'invalid_parameter',
              'not_found',
              'below_minimum_amount',
              'above_maximum_amount',
              'illegal_state',
              'limit_reached',
              'card_declined',
              'invalid_split',
              'rail_unavailable',
            ],
          },
          schema: { ...words, tags: ['Card API'], body: paymentBody },
        },
        (request, reply) => pay(request, reply, type) as never,
      )
    }

    app.route({
      method: 'POST',
      url: '/prows/v2/creditcard',
      config: {
        auth: cardAuth,
        refusals: ['missing_parameter', 'invalid_parameter', 'access_denied', 'rail_unavailable'],
      },
      schema: {
        operationId: 'storeCard',
        summary: 'Store a card',
        description:
          'Send the customer to the address in the answer to authenticate. A callback to the wallet’s address for cards then brings the token. You can also read it by `GET /api/v2/requests/<request_id>`.',
        tags: ['Card API'],
        body: storeCardBody,
        response: answers(authenticationSchema, {
          cardsecure_url_redirect: 'https://pay.example/secure/0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
        }),
      },
      handler: async (request, reply) => {
        const caller = callerOf(request)
        const wallet = served(await wallets.get(caller.walletId))
        const { body } = request
        return withIdempotency(request, reply, {
          work: (key) => storeCard(context, { wallet, body, key, plainAllowed: plainAllowed(caller) }),
        })
      },
    })

    app.route({
      method: 'GET',
      url: '/prows/v2/creditcard/:token',
      config: { auth: cardAuth, refusals: ['not_found'] },
      schema: {
        operationId: 'getCard',
        summary: 'Read a stored card',
        description: 'A stored card without its number. A deleted card has `voided: true`.',
        tags: ['Card API'],
        params: tokenParameter,
        response: answers(storedCardSchema, storedCardExample),
      },
      handler: async (request, reply) => {
        const { token } = request.params as TokenParameter
        const stored = await storedCard(callerOf(request), token)
        return sendText(reply, JSON.stringify(vault.cardOnWire(stored, core.clock.now(), { name: true })))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/prows/v2/creditcard/:token',
      config: { auth: cardAuth, refusals: ['not_found'] },
      schema: {
        operationId: 'deleteCard',
        summary: 'Delete a stored card',
        description: 'Deletes the card and ends the subscriptions that it pays. Answers `true`.',
        tags: ['Card API'],
        params: tokenParameter,
        response: answers(Type.Boolean({ description: 'Always true.' }), true),
      },
      handler: async (request, reply) => {
        const { token } = request.params as TokenParameter
        const caller = callerOf(request)
        await deleteCard(await storedCard(caller, token))
        return sendText(reply, 'true')
      },
    })
  }
}

/** The card API needs a rail for cards, not the method CC. Throws access_denied without such a rail. */
function served(wallet: Wallet): Wallet {
  if (wallet.unserved?.includes(cards.code) === true || wallet.suspendedAt !== undefined)
    return deny('access_denied', unavailableReason(wallet, cards.code))
  if (wallet.cardsAtAcquirer === true) {
    const reason = 'this acquirer accepts cards only in its own form: send the customer to a checkout'
    return deny('access_denied', reason)
  }
  return wallet
}

function plainAllowed({ permissions, rights }: Caller): boolean {
  return permissions.has('card_plain') && rights.has('pci_dss')
}
