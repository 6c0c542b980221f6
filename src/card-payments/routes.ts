// The card API over HTTP (SPEC.md "Card API").
import { type Static, Type } from 'typebox'
import type { StoredCard } from '../cards/index.ts'
import { type App, type AppReply, type AppRequest, callerOf, sendText } from '../http/index.ts'
import { answerOnce } from '../idempotency/index.ts'
import { refuse, unwrap } from '../kernel/result.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { operationSchema, rereadOperation } from '../operations/index.ts'
import { type Wallet, whyWithout } from '../wallets/index.ts'
import type { CardPaymentsContext } from './deps.ts'
import { type CardPaymentType, declined, paymentForms, payWithToken } from './paying/pay.ts'
import { payWithCardData } from './paying/pay-with-card-data.ts'
import { cardFormOf, type PaymentBody, paymentBody, storeCardBody, tokenOf } from './schemas.ts'
import { deleteCard } from './stored-cards/delete-card.ts'
import { storeCard } from './stored-cards/store-card.ts'

const cardAuth = { permission: 'card', rights: ['partner'], esb: true } as const
const storedCardSchema = Type.Object({ token: Type.String() }, { additionalProperties: true })
const tokenParameter = Type.Object({ token: Type.String() })
type TokenParameter = Static<typeof tokenParameter>

export function cardPaymentRoutes(deps: CardPaymentsContext): (app: App) => void {
  const { clock, wallets, vault } = deps

  async function pay(request: AppRequest, reply: AppReply, type: CardPaymentType): Promise<AppReply> {
    const caller = callerOf(request)
    const wallet = served(await wallets.get(caller.walletId))
    const body = request.body as PaymentBody
    return answerOnce(request, reply, {
      async work(key) {
        const asked = { type, wallet, body, key, caller, plainAllowed: plainAllowed(caller), ip: request.ip }
        const form = unwrap(cardFormOf(body, paymentForms))
        return form.kind === 'token' ? payWithToken(deps, asked, form.token) : payWithCardData(deps, asked)
      },
      // Card data is answered with the claim: only a payment by token can have died before its answer.
      reread: (id) => rereadOperation(deps, id, { wallet, declined }),
    })
  }

  async function storedCard({ walletId }: Caller, token: string): Promise<StoredCard> {
    const stored = await vault.find(walletId, unwrap(tokenOf(token)))
    return stored ?? unwrap(refuse('not_found', 'there is no card with that token'))
  }

  return (app) => {
    for (const [url, type, summary] of [
      ['/prows/v2/payment', 'PAYMENT', 'Pay by card'],
      ['/prows/v2/authorization', 'AUTH', 'Reserve an amount on a card'],
    ] as const) {
      app.post(
        url,
        {
          config: {
            auth: cardAuth,
            refusals: [
              'missing_parameter',
              'invalid_parameter',
              'illegal_state',
              'card_declined',
              'invalid_split',
              'rail_unavailable',
            ],
          },
          schema: { summary, tags: ['cards'], body: paymentBody, response: { 200: operationSchema } },
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
        summary: 'Store a card',
        tags: ['cards'],
        body: storeCardBody,
        response: { 200: Type.Object({ cardsecure_url_redirect: Type.String() }) },
      },
      handler: async (request, reply) => {
        const caller = callerOf(request)
        const wallet = served(await wallets.get(caller.walletId))
        const { body } = request
        return answerOnce(request, reply, {
          work: (key) => storeCard(deps, { wallet, body, key, plainAllowed: plainAllowed(caller) }),
        })
      },
    })

    app.route({
      method: 'GET',
      url: '/prows/v2/creditcard/:token',
      config: { auth: cardAuth, refusals: ['not_found'] },
      schema: {
        summary: 'Read a stored card',
        tags: ['cards'],
        params: tokenParameter,
        response: { 200: storedCardSchema },
      },
      handler: async (request, reply) => {
        const { token } = request.params as TokenParameter
        const stored = await storedCard(callerOf(request), token)
        return sendText(reply, JSON.stringify(vault.cardOnWire(stored, clock.now(), { name: true })))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/prows/v2/creditcard/:token',
      config: { auth: cardAuth, refusals: ['not_found'] },
      schema: {
        summary: 'Delete a stored card',
        tags: ['cards'],
        params: tokenParameter,
        response: { 200: Type.Boolean() },
      },
      handler: async (request, reply) => {
        const { token } = request.params as TokenParameter
        const caller = callerOf(request)
        await deleteCard(deps, await storedCard(caller, token))
        return sendText(reply, 'true')
      },
    })
  }
}

/** The card API needs no method of the wallet's, but a rail that takes cards. Throws access_denied without one. */
function served(wallet: Wallet): Wallet {
  if (wallet.unserved?.includes('CC') === true || wallet.suspendedAt !== undefined)
    return unwrap(refuse('access_denied', whyWithout(wallet, 'CC')))
  if (wallet.cardsAtAcquirer === true) {
    const reason = 'cards are typed into the form of the acquirer here: send the customer to a checkout'
    return unwrap(refuse('access_denied', reason))
  }
  return wallet
}

function plainAllowed({ permissions, rights }: Caller): boolean {
  return permissions.has('card_plain') && rights.has('pci_dss')
}
