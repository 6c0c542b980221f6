// Routes that create, list, read and close payment links.
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  documented,
  exampleId,
  idOf,
  idParameter,
  limitPerMinute,
  listOf,
  pageQuery,
  parsePage,
  sendText,
} from '../http/index.ts'
import { claimOf, createdWithClaim, withIdempotency } from '../idempotency/index.ts'
import { cents } from '../kernel/money.ts'
import { cellBase62, newId } from '../kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../kernel/result.ts'
import { toTimestamp } from '../kernel/time.ts'
import { readAddress } from '../mail/index.ts'
import { catchUp } from '../operations/index.ts'
import type { PaymentLinksDeps } from './deps.ts'
import { type LinkStatus, linkStatuses, type PaymentLink } from './model.ts'
import { codeLength, fitsLimits, linkStatus, linkUrl } from './rules.ts'
import { linkBody, linkExample, linkOnWire, linkSchema, mailBody, mailedSchema, readLink } from './schemas.ts'
import { closeLink, findLink, insertLink, listLinks } from './store.ts'

const path = '/api/v2/payment_links'
/** The limit is enough for a shop, and too low for unwanted advertising. */
const mailsPerMinute = 60
const auth = { permission: 'checkout' } as const
const parameters = idParameter('payment link')
const listSchema = listOf(linkSchema, 'PaymentLinkList', 'A page of payment links.')

const listQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 30 })], {
      description: `Filter: one or more of ${linkStatuses.join(', ')}.`,
      ...documented({
        anyOf: undefined,
        type: 'array',
        items: { type: 'string', enum: linkStatuses },
        maxItems: 30,
      }),
    }),
  ),
})

export function linkRoutes({ core, wallets, mail }: PaymentLinksDeps): (app: App) => void {
  const { database, clock, random, mode, baseUrl } = core
  const limitMails = limitPerMinute('payment links by mail', mailsPerMinute)

  async function linkOf(walletId: bigint, text: string): Promise<PaymentLink> {
    const id = unwrap(idOf(text, 'payment link'))
    await catchUp(database)
    return (await findLink(database, walletId, id)) ?? deny('not_found', `there is no payment link ${id}`)
  }

  async function shown(walletId: bigint, link: PaymentLink) {
    return linkOnWire(link, { wallet: await wallets.get(walletId), baseUrl, now: clock.now() })
  }

  return (app) => {
    app.post(
      path,
      {
        config: {
          auth,
          refusals: [
            'missing_parameter',
            'invalid_parameter',
            'below_minimum_amount',
            'above_maximum_amount',
            'limit_reached',
          ],
        },
        schema: {
          operationId: 'createPaymentLink',
          summary: 'Create a payment link',
          description:
            'Creates an address for your customers. Each visit opens a new checkout. Its operation has the `payment_link_id`.',
          tags: ['Payment links'],
          body: linkBody,
          response: answers(linkSchema, linkExample),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const wallet = await wallets.get(walletId)
        return withIdempotency(request, reply, {
          async work(key) {
            const now = clock.now()
            const draft = unwrap(readLink(request.body, { wallet, mode, now }))
            unwrap(fitsLimits(draft, wallet))
            const link: PaymentLink = {
              ...draft,
              id: newId(now, random),
              walletId,
              code: cellBase62(random, codeLength),
              createdAt: now,
              uses: 0,
              amountPaid: cents(0),
            }
            const body = JSON.stringify(linkOnWire(link, { wallet, baseUrl, now }))
            const claim = claimOf(key, { resourceId: link.id, href: `${path}/${link.id}`, body })
            return createdWithClaim(await insertLink(database, link, claim), body)
          },
        })
      },
    )

    app.get(
      path,
      {
        config: { auth, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listPaymentLinks',
          summary: 'List payment links, newest first',
          description: 'All links of your wallet, or those with the given statuses.',
          tags: ['Payment links'],
          querystring: listQuery,
          response: answers(listSchema, { total: 1, elements: [linkExample] }),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const page = unwrap(parsePage(request.query))
        const statuses = unwrap(statusesOf(request.query.status))
        const now = clock.now()
        await catchUp(database)
        const { total, links } = await listLinks(database, walletId, { statuses, now }, page)
        const wallet = await wallets.get(walletId)
        return { total, elements: links.map((link) => linkOnWire(link, { wallet, baseUrl, now })) as never }
      },
    )

    app.get(
      `${path}/:id`,
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'getPaymentLink',
          summary: 'Read a payment link',
          description: 'Includes the number of payments and their total.',
          tags: ['Payment links'],
          params: parameters,
          response: answers(linkSchema, linkExample),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        return (await shown(walletId, await linkOf(walletId, request.params.id))) as never
      },
    )

    app.post(
      `${path}/:id/mail`,
      {
        config: {
          auth,
          refusals: [
            'missing_parameter',
            'invalid_parameter',
            'not_found',
            'illegal_state',
            'too_many_requests',
          ],
        },
        schema: {
          operationId: 'mailPaymentLink',
          summary: 'Send a payment link by mail',
          description:
            'Sends the link to one customer, in the language of the link. Turn on the kind `payment_link` first. Each call sends one mail.',
          tags: ['Payment links'],
          params: parameters,
          body: mailBody,
          response: answers(mailedSchema, { mail_id: exampleId }),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        unwrap(limitMails(request, reply, `wallet ${walletId}`))
        const link = await linkOf(walletId, request.params.id)
        if (linkStatus(link, clock.now()) !== 'ACTIVE')
          return deny('illegal_state', 'the payment link cannot be paid any more: create a new one')
        const to = readAddress(request.body.email)
        if (to === undefined)
          return deny('invalid_parameter', 'email must be an address such as ana@example.com')
        const { id, description, language, amount, expiresAt, code } = link
        const details = {
          ...{ description, language, url: linkUrl(baseUrl, code) },
          amount: amount?.toString(),
          expires: expiresAt === undefined ? undefined : toTimestamp(expiresAt),
        }
        const mailId = await database.transaction((tx) =>
          mail.addPaymentLink(tx, { walletId, id, to, details }),
        )
        if (mailId === undefined)
          return deny(
            'illegal_state',
            'mail of payment links is off: turn on payment_link with PUT mails/kinds/payment_link',
          )
        request.changes = [{ field: `payment link ${id}`, old: '', new: `mailed to ${to}` }]
        return { mail_id: mailId }
      },
    )

    app.delete(
      `${path}/:id`,
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'closePaymentLink',
          summary: 'Close a payment link',
          description:
            'No new payment can begin. Customers with an open checkout can still pay. Closing again has no effect.',
          tags: ['Payment links'],
          params: parameters,
          response: answers(linkSchema, {
            ...linkExample,
            status: 'CLOSED',
            closed: '2026-03-07T09:00:00+0000',
          }),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const link = await linkOf(walletId, request.params.id)
        const now = clock.now()
        await closeLink(database, walletId, link.id, now)
        const closed = await linkOf(walletId, link.id)
        const [old, status] = [linkStatus(link, now), linkStatus(closed, now)]
        request.changes = [{ field: `payment link ${link.id}`, old, new: status }]
        return sendText(reply, JSON.stringify(await shown(walletId, closed)))
      },
    )
  }
}

function statusesOf(
  asked: string | readonly string[] | undefined,
): Result<readonly LinkStatus[] | undefined> {
  if (asked === undefined) return ok(undefined)
  const read: LinkStatus[] = []
  for (const word of [asked].flat()) {
    const status = linkStatuses.find((known) => known === word.toUpperCase())
    if (status === undefined)
      return refuse('invalid_parameter', `status must be one of ${linkStatuses.join(', ')}`)
    read.push(status)
  }
  return ok(read)
}
