// Page of the merchant: refunds, splits, authorizations and payouts.
import { type Comporta, fromCents, type Operation, toCents } from '@comporta/sdk'
import { errorNotice, euros, type Html, html, notice, table } from './html.ts'
import { filled } from './i18n/index.ts'
import { amountRow, button, type Content, form, type Page } from './layout.ts'
import type { Order, Selling } from './session.ts'
import { newReference, Problem, typedCents, type Visit } from './shop.ts'

const path = '/selling'
const client = { name: 'Ana Silva', email: 'ana@exemplo.pt' }

export const sellingPage: Page = {
  path,
  content,
  forms: {
    [`${path}/look`]: (visit) => look(visit, 'looked'),
    [`${path}/refund`]: (visit) =>
      actOn(visit, 'refunded', ({ operations }, id, part) =>
        operations.refund(id, part.amount ? { type: 'partial', ...part } : { type: 'full' }),
      ),
    [`${path}/capture`]: (visit) =>
      actOn(visit, 'captured', ({ authorizations }, id, part) => authorizations.capture(id, part)),
    [`${path}/release`]: (visit) =>
      actOn(visit, 'released', ({ authorizations }, id, part) => authorizations.release(id, part)),
    [`${path}/split`]: divide,
    [`${path}/payout`]: payOut,
    [`${path}/reserve`]: reserve,
  },
  comeBack: (visit) => look(visit, 'looked'),
}

/** `POST /api/v2/operations/<id>/split` gives half of the payment to another seller. */
async function divide(visit: Visit): Promise<string> {
  const { seller_public_id: seller } = await visit.shop.options.credentials()
  if (seller === undefined) throw new Problem('no_seller')
  return actOn(visit, 'divided', ({ operations }, id) =>
    operations.split(id, { split: [{ merchant_wallet: seller, amount_fraction: '1/2' }] }),
  )
}

/** `POST /api/v2/payouts`. */
async function payOut(visit: Visit): Promise<string> {
  const amount = fromCents(typedCents(visit))
  return look(visit, 'paid_out', ({ payouts }) => payouts.create({ amount }))
}

/** `POST /api/v2/checkout` with an `authorization`. */
async function reserve(visit: Visit): Promise<string> {
  const amount = typedCents(visit)
  const reference = newReference('HOLD')
  const order: Order = { reference, kind: 'reservation', amount, day: visit.today, state: 'asked' }
  await visit.shop.wantCallbacks()
  const money = { amount: fromCents(amount), currency: 'EUR' as const }
  const authorization = { ...money, ext_invoiceid: reference, client }
  const checkout = await visit.place(order, ({ checkouts }) =>
    checkouts.create({ authorization, ...visit.backTo(`${path}/return`) }),
  )
  return checkout ? visit.sendTo(checkout.url_redirect) : show(visit, { error: order.error })
}

/** Acts on an operation, after a check that it belongs to this visitor. */
async function actOn(
  visit: Visit,
  done: Selling['done'],
  call: (comporta: Comporta, id: string, part: { amount?: string }) => PromiseLike<unknown>,
): Promise<string> {
  const { session, fields } = visit
  const own = session.selling.operations?.find(({ id }) => id === fields.operation)
  if (own === undefined) throw new Problem('not_yours')
  const part = fields.amount?.trim() ? { amount: fromCents(typedCents(visit)) } : {}
  return look(visit, done, (comporta) => call(comporta, own.id, part))
}

async function look(
  visit: Visit,
  done: Selling['done'],
  call?: (comporta: Comporta) => PromiseLike<unknown>,
): Promise<string> {
  const { error } = call ? await visit.ask(call) : {}
  const { answer: page } = await visit.ask(({ operations }) => operations.list({ limit: 30 }))
  const { answer: account } = await visit.ask(({ account }) => account.balance())
  return show(visit, {
    ...(error ? { error } : { done }),
    ...(page && { operations: ownOf(page.elements, visit) }),
    ...(account && { balance: Number(toCents(account.available)) }),
  })
}

function show(visit: Visit, shown: Selling): string {
  const { operations, balance } = visit.session.selling
  visit.session.selling = { operations, balance, ...shown }
  visit.session.changed()
  return visit.path(path)
}

function ownOf(operations: readonly Operation[], { session: { orders } }: Visit): Operation[] {
  const own = new Set<string>()
  for (const { id, parent = '', ext_invoiceid: invoice = '' } of operations.toReversed())
    if (orders.has(invoice) || own.has(parent)) own.add(id)
  return operations.filter(({ id }) => own.has(id))
}

async function content(visit: Visit): Promise<Content> {
  const { language, session, say } = visit
  const { selling } = say
  const { operations, balance = 0, done, error } = session.selling
  const box = (name: 'look' | 'reserve' | 'payout', title: string, help: string, example?: string) => {
    const submit = html`<button type="submit">${selling[name]}</button>`
    const inside = example === undefined ? submit : amountRow(name, say.amountInEuros, example, submit)
    return html`
      <section class="box" aria-labelledby="${name}">
        <h2 id="${name}">${title}</h2>
        <p class="muted">${help}</p>
        ${form(visit, `${path}/${name}`, inside)}
      </section>`
  }
  const isSale = ({ type, status }: Operation) =>
    (type === 'PAYMENT' || type === 'AUTH') && status === 'COMPLETED'
  const available = filled(operations ? selling.balance : selling.payoutHelp, {
    amount: euros(balance, language),
  })
  return {
    say: selling,
    notice: error ? errorNotice(say, '', error) : done && notice(selling.done[done], false),
    main: html`
      ${box('look', selling.sales, selling.salesHelp)}
      ${operations?.length === 0 && html`<p class="note">${selling.nothingYet}</p>`}
      ${operations?.filter(isSale).map((operation) => sale(visit, operation, operations))}
      ${box('reserve', selling.reserveTitle, selling.reserveHelp, '50')}
      ${box('payout', selling.payoutTitle, available, '10')}`,
  }
}

function sale(visit: Visit, operation: Operation, all: readonly Operation[]): Html {
  const { selling, amount } = visit.say
  const { id, type, ext_invoiceid: reference = '', refundable, splits } = operation
  const followers = followersOf(operation, all)
  const isWhole = splits === undefined && followers.length === 0
  const act = (action: string, text: string) => button(visit, `${path}/${action}`, text)
  const about = (of: string, inside: Html) =>
    form(visit, path, html`<input type="hidden" name="operation" value="${of}">${inside}`)
  const refund = (of: string) =>
    about(of, amountRow(of, selling.amountOrAll, '', act('refund', selling.refund)))
  const capture = html`${act('capture', selling.capture)}${act('release', selling.release)}`
  const rows = [operation, ...followers].map((one) => [
    html`${selling.types[one.type]}<br><small class="muted">${one.status}</small>`,
    euros(Number(toCents(one.amount)), visit.language),
    one.splits
      ? filled(one.splits.total === 1 ? selling.dividedOnce : selling.divided, { count: one.splits.total })
      : one.type === 'CAPTURE' && one.refundable && refund(one.id),
  ])
  return html`
    <section class="box" aria-labelledby="sale-${id}">
      <h2 id="sale-${id}">${selling.types[type]} <span class="number">${reference}</span></h2>
      ${table(`${amount}: ${reference}`, [selling.what, amount, selling.more], rows)}
      ${type === 'AUTH' && about(id, amountRow(id, selling.amountOrAll, '', capture))}
      ${type === 'PAYMENT' && refundable && refund(id)}
      ${type === 'PAYMENT' && isWhole && about(id, act('split', selling.split))}
    </section>`
}

function followersOf({ id }: Operation, all: readonly Operation[]): readonly Operation[] {
  const children = all.filter(({ parent }) => parent === id)
  return children.flatMap((child) => [child, ...followersOf(child, all)])
}
