// Example requests of the reference, in a working order.
import { exampleId } from '../../../src/http/reference/fields.ts'
import { passIssuer } from '../../authorizing.ts'
import { ibans } from '../../money.ts'
import { newPhone } from '../../phone.ts'
import { paidReferences } from '../../references-paid.ts'
import { subscribersOf } from '../../subscribers.ts'
import { type Answer, cards, type Json, type World } from '../../world.ts'
import type { ReferenceDocument } from './document.ts'

/** Replacements for values that differ between gateways. */
interface Known {
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>
  /** Fields of the body that name earlier objects. */
  readonly body?: object
  /** A whole body instead of the example. */
  readonly whole?: string
}

export interface SentExample {
  readonly answer: Answer
  readonly path: Readonly<Record<string, string>>
}

/** Sent requests and answers, by operation. */
export async function sendExamples(
  world: World,
  document: ReferenceDocument,
): Promise<Map<string, SentExample>> {
  const answers = new Map<string, SentExample>()

  async function send(operationId: string, { path = {}, body, whole }: Known = {}): Promise<Json> {
    const operation = document.operations.find((one) => one.operationId === operationId)
    if (operation === undefined) throw new Error(`there is no operation ${operationId}`)
    const { described, method } = operation
    const example = described.requestBody?.content['application/json'].example
    const sent = whole ?? (example && JSON.stringify({ ...example, ...body }))
    const answer = await world.request(
      operation.path.replace(/\{(\w+)\}/g, (_, name) => path[name] ?? ''),
      {
        method: method.toUpperCase(),
        headers: {
          authorization: `Comporta ${world.shop.api_key}`,
          ...(described.security.some((one: Json) => 'esbToken' in one) && {
            'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
          }),
          ...(sent !== undefined && { 'content-type': 'application/json' }),
        },
        ...(sent !== undefined && { body: sent }),
      },
    )
    answers.set(operationId, { answer, path })
    return answer.body
  }

  await cardsAndOperations(world, send)
  await checkoutsAndLinks(world, send)
  await referencesAndPhones(world, send)
  await subscriptionsAndCharges(world, send)
  await account(world, send)
  await refundOfReference(world, send)
  await automaticCharges(world, send)
  return answers
}

type Send = (operationId: string, known?: Known) => Promise<Json>

async function cardsAndOperations(world: World, send: Send): Promise<void> {
  const own = { within: world.baseUrl }
  const divided = await send('createCardPayment')
  await passIssuer(divided.cardsecure_url_redirect, own)
  const merchant_wallet = world.merchant('Sub Shop A').public_id
  const split = [{ merchant_wallet, amount_fraction: '0.6' }]
  await send('splitOperation', { path: { id: divided.id }, body: { split } })
  const paid = await send('createCardPayment')
  await passIssuer(paid.cardsecure_url_redirect, own)
  await send('refundOperation', { path: { id: paid.id } })
  await send('getOperation', { path: { id: paid.id } })
  await send('listOperations')
  const reserved = await send('createCardAuthorization')
  await passIssuer(reserved.cardsecure_url_redirect, own)
  await send('getAuthorization', { path: { id: reserved.id } })
  await send('releaseAuthorization', { path: { id: reserved.id } })
  await send('captureAuthorization', { path: { id: reserved.id } })
  await send('listAuthorizations')
  await passIssuer((await send('storeCard')).cardsecure_url_redirect, own)
  const { token } = await send('getRequest', { path: { id: exampleId } })
  await send('getCard', { path: { token } })
  await send('deleteCard', { path: { token } })
}

async function checkoutsAndLinks(world: World, send: Send): Promise<void> {
  await world.payOnPage(await send('createCheckout'), cards.frictionless)
  const callback = await world.eventually(async () =>
    world.receiver.received('/callbacks').find(({ body }) => JSON.parse(body).event === 'COMPLETED'),
  )
  await send('verifyCallback', { whole: callback.body })
  await send('listEvents')
  await send('listenToCallbacks')
  await send('listRequests')
  await world.advance('PT1M')
  await send('getAuditHead')
  const { id } = await send('createCheckout')
  await send('getCheckout', { path: { id } })
  await send('voidCheckout', { path: { id } })
  await customers(world, send)
  await send('listPaymentMethods')
  await send('getButtonImage')
  const link = await send('createPaymentLink')
  await send('getPaymentLink', { path: { id: link.id } })
  await send('listPaymentLinks')
  await send('listMailKinds')
  await send('setMailKind', { path: { kind: 'payment_link' } })
  const { mail_id: mailId } = await send('mailPaymentLink', { path: { id: link.id } })
  await world.eventually(async () => (await world.shop.get(`/api/v2/mails/${mailId}`)).body.status === 'SENT')
  await send('getMail', { path: { id: mailId } })
  await send('listMails')
  await send('closePaymentLink', { path: { id: link.id } })
  await callbackEndpoints(world, send)
}

async function callbackEndpoints(world: World, send: Send): Promise<void> {
  const made = await send('createCallbackEndpoint', { body: { url: world.receiver.url('/stock') } })
  const path = { id: made.id }
  const { event_id } = await send('testCallbackEndpoint', { path })
  const delivery = `/api/v2/callback_endpoints/${made.id}/deliveries/${event_id}`
  await world.eventually(async () => (await world.shop.get(delivery)).body.status === 'DELIVERED')
  await send('getCallbackEndpoint', { path })
  await send('listCallbackEndpoints')
  await send('listEndpointDeliveries', { path })
  await send('getEndpointDelivery', { path: { ...path, event_id } })
  await send('resendToCallbackEndpoint', { path, body: { event_id } })
  await send('changeCallbackEndpoint', { path })
  await send('replaceCallbackEndpointSecret', { path })
  const { body: other } = await world.shop.post('/api/v2/callback_endpoints', {
    url: world.receiver.url('/other'),
  })
  await send('deleteCallbackEndpoint', { path: { id: other.id } })
}

/** Last, because the example of the statement has no payment by MB. */
async function refundOfReference(world: World, send: Send): Promise<void> {
  await world.cli('merchant', 'set', world.shop.public_id, '--mb-refunds', 'on')
  const references = paidReferences(world)
  const { body: refund } = await references.refund((await references.paid()).id)
  await send('getRefundAccount', { path: { id: refund.id } })
  await send('cancelRefund', { path: { id: refund.id } })
}

async function customers(world: World, send: Send): Promise<void> {
  const { id } = await send('createCustomer')
  await send('listCustomers')
  await send('getCustomer', { path: { id } })
  await send('changeCustomer', { path: { id } })
  const checkout = await world.createCheckout({ customer: { id } })
  await world.payOnPage(checkout, cards.frictionless, { save: 'yes' })
  const { elements } = await send('listCustomerPaymentMethods', { path: { id } })
  await send('deleteCustomerPaymentMethod', { path: { id, method: elements[0].id } })
  await send('deleteCustomer', { path: { id } })
}

async function referencesAndPhones(world: World, send: Send): Promise<void> {
  await send('createReferencePayment')
  const { mb } = await send('createRecurringReference')
  await send('deleteReference', { body: mb })
  await send('createMobilePayment')
  const phone = newPhone(world)
  const { mandate_id: id } = await send('createMandate', { body: { phone: phone.number } })
  await phone.approve((await phone.pending()).id, { amount_limit: 100 })
  await send('getMandate', { path: { id } })
  await send('listMandates')
  await send('endMandate', { path: { id } })
}

async function subscriptionsAndCharges(world: World, send: Send): Promise<void> {
  const subscribers = subscribersOf(world)
  const today = await subscribers.today()
  const { id } = await subscribers.accepted({ end_date: `${Number(today.slice(0, 4)) + 1}-01-31` })
  await send('getSubscription', { path: { id } })
  await send('listSubscriptions')
  const charge = await send('chargeSubscription', { path: { id } })
  await send('getCharge', { path: { id, charge_id: charge.id } })
  await send('listCharges', { path: { id } })
  await send('voidSubscription', { path: { id } })
}

/** Last, because time moves to the first charge. One is refused and tried again, one is refused for good. */
async function automaticCharges(world: World, send: Send): Promise<void> {
  const subscribers = subscribersOf(world)
  const terms = { amount: 1, ext_invoiceid: 'CLUB', max_charges: 12 }
  const { id } = await subscribers.accepted({ auto_charge: terms })
  const refused = [
    await subscribers.accepted({ auto_charge: terms }, cards.insufficientFunds),
    await subscribers.accepted({ auto_charge: { ...terms, retries: [] } }, cards.insufficientFunds),
  ]
  await world.advance('P1D')
  for (const one of [{ id }, ...refused])
    await world.eventually(async () => {
      const { latest } = (await subscribers.read(one.id)).auto_charge
      return latest !== undefined && latest.result !== 'CHARGING'
    })
  await send('changeSubscription', { path: { id } })
  await send('pauseSubscription', { path: { id } })
  await send('resumeSubscription', { path: { id } })
  await send('listAutoCharges')
  await send('getAutoChargeResults')
  await send('stopAutoCharge', { path: { id } })
}

async function account(world: World, send: Send): Promise<void> {
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', ibans.paid)
  await send('getBalance')
  const { id } = await send('createPayout')
  await send('getPayout', { path: { id } })
  await send('listPayouts')
  await send('setPayoutSchedule')
  await send('getPayoutSchedule')
  const { days } = await send('getStatement')
  await send('listStatementEntries', { path: { day: days[0].day } })
  await send('downloadStatement')
  await send('listFees')
}
