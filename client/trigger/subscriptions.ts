// Events of subscriptions, charges and stored cards.
import { CliError } from '../../src/cli/session.ts'
import type { Json } from '../gateway.ts'
import { type Actor, amount, type Path } from './actor.ts'
import type { Page } from './customer.ts'

const approved = '4176660000000027'
/** The issuer authenticates the holder of this card, but payments with it fail. */
const withoutFunds = '4000000000009995'

async function opened(actor: Actor): Promise<Json> {
  const subscription = { ...amount, frequency: 1, period: 'MONTH', start_date: await actor.today() }
  return actor.checkout({ subscription })
}

async function accepted(actor: Actor, card: string): Promise<{ id: string; page: Page }> {
  const made = await opened(actor)
  const page = await actor.customer.payByCard(made.url_redirect, card)
  actor.did(`the customer accepted the subscription by card ${card}`)
  return { id: made.subscription.id, page }
}

async function charged(actor: Actor, card: string): Promise<string> {
  const { id } = await accepted(actor, card)
  const body = { payment: amount, request_id: actor.newRequestId() }
  const charge = await actor.api(`/api/v2/subscriptions/${id}/charge`, body)
  actor.did(`the merchant charged ${amount.amount}`, { charge_order_id: charge.id })
  return charge.id
}

function follow(actor: Actor, page: Page, part: string): Promise<Page> {
  const link = actor.customer.linkOf(page, part)
  if (link === undefined) throw new CliError('failed', `${page.url} has no link to ${part}`)
  return actor.customer.open(link)
}

export const subscriptionPaths: readonly Path[] = [
  {
    name: 'subscription.approved',
    summary: 'a customer accepts a subscription by card',
    callback: 'subscription.approved',
    act: async (actor) => (await accepted(actor, approved)).id,
  },
  {
    name: 'subscription.failed',
    summary: 'a customer rejects a subscription',
    callback: 'subscription.failed',
    async act(actor) {
      const { url_redirect, subscription } = await opened(actor)
      await actor.customer.submit(await actor.customer.open(url_redirect), '/cancel')
      actor.did('the customer cancelled on the page')
      return subscription.id
    },
  },
  {
    name: 'subscription.canceled',
    formerName: 'subscription.cancelled',
    summary: 'a customer cancels a subscription',
    callback: 'subscription.canceled',
    async act(actor) {
      const { id, page } = await accepted(actor, approved)
      const sure = await follow(actor, await follow(actor, page, '/subscription/'), 'cancel')
      await actor.customer.submit(sure, '/cancel')
      actor.did('the customer cancelled the subscription')
      return id
    },
  },
  {
    name: 'subscription.charge.completed',
    summary: 'a charge of a subscription is paid',
    callback: 'subscription.charge.completed',
    act: (actor) => charged(actor, approved),
  },
  {
    name: 'subscription.charge.failed',
    summary: 'a charge of a subscription is declined',
    callback: 'subscription.charge.failed',
    act: (actor) => charged(actor, withoutFunds),
  },
  {
    name: 'card.stored',
    summary: 'a customer stores a card; needs the ESB token of the card API',
    callback: 'card.stored',
    async act(actor) {
      const request_id = actor.newRequestId()
      const thanks = 'https://shop.example/thanks'
      const newCard = {
        number: approved,
        name: 'Ana Silva',
        vcode: '123',
        valdate: '12/2039',
        email: 'ana@example.com',
      }
      const urls = { cardsecure_url_confirm: thanks, cardsecure_url_cancel: thanks }
      const made = await actor.api('/prows/v2/creditcard', { request_id, ...urls, newCard }, { esb: true })
      actor.did('the merchant asked for a card to be stored', { request_id })
      await actor.customer.passIssuer(await actor.customer.open(made.cardsecure_url_redirect))
      actor.did('the cardholder passed the check of the issuer')
      return request_id
    },
  },
]
