// Routes of customers and of the cards that they saved.
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  idOf,
  idParameter,
  listOf,
  parsePage,
  pathId,
  sendText,
} from '../http/index.ts'
import { claimOf, createdWithClaim, forgetAnswer, withIdempotency } from '../idempotency/index.ts'
import { newId } from '../kernel/random.ts'
import { deny, unwrap } from '../kernel/result.ts'
import type { Core } from '../module.ts'
import type { Executor } from '../storage/index.ts'
import type { Customer, CustomerData, PaymentMethod } from './model.ts'
import { readCustomer } from './rules.ts'
import {
  customerBody,
  customerChange,
  customerExample,
  customerOnWire,
  customerSchema,
  customersQuery,
  paymentMethodExample,
  paymentMethodOnWire,
  paymentMethodSchema,
} from './schemas.ts'
import { changeCustomer, deleteCustomer, findCustomer, insertCustomer, listCustomers } from './store.ts'

export interface CustomersDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly savedCards: {
    list(walletId: bigint, customerId: string): Promise<readonly PaymentMethod[]>
    /** The erased card, or undefined if the customer has no such card. */
    erase(walletId: bigint, customerId: string, id: string): Promise<PaymentMethod | undefined>
    /** Returns the number of erased cards. */
    eraseAll(tx: Executor, walletId: bigint, customerId: string): Promise<number>
  }
}

const path = '/api/v2/customers'
const auth = { permission: 'customers' } as const
const parameters = idParameter('customer')
const methodParameters = Type.Object({ id: pathId('customer'), method: pathId('saved card') })
const listSchema = listOf(customerSchema, 'ShopCustomerList', 'A page of customers.')
const methodsSchema = listOf(paymentMethodSchema, 'SavedPaymentMethodList', 'All saved cards of a customer.')
const taken = 'another customer has this ext_customerid: find it with GET customers?ext_customerid='
const tags = ['Customers'] as const

export function customerRoutes(deps: CustomersDeps): (app: App) => void {
  const { database, clock, random, savedCards } = deps

  async function customerOf(walletId: bigint, text: string): Promise<Customer> {
    const id = unwrap(idOf(text, 'customer'))
    return (await findCustomer(database, walletId, id)) ?? notFound(id)
  }

  return (app) => {
    app.post(
      path,
      {
        config: { auth, refusals: ['invalid_parameter', 'illegal_state'] },
        schema: {
          operationId: 'createCustomer',
          summary: 'Create a customer',
          description:
            'Then pass the `id` as `customer.id` of a checkout, for a customer who is signed in to your shop.',
          tags: [...tags],
          body: customerBody,
          response: answers(customerSchema, customerExample),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        return withIdempotency(request, reply, {
          async work(key) {
            const now = clock.now()
            const data = unwrap(readCustomer(request.body))
            const id = newId(now, random)
            const customer: Customer = { ...data, id, walletId, createdAt: now, modifiedAt: now }
            const body = JSON.stringify(customerOnWire(customer))
            const claim = claimOf(key, { resourceId: id, href: `${path}/${id}`, body })
            // A refusal rolls the claim back, so that the same key can be used again.
            await database.transaction(async (tx) => {
              if (!(await insertCustomer(tx, customer, claim))) deny('illegal_state', taken)
            })
            request.changes = [{ field: `customer ${id}`, old: '', new: 'created' }]
            return createdWithClaim(true, body)
          },
        })
      },
    )

    app.get(
      path,
      {
        config: { auth, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listCustomers',
          summary: 'Find customers, newest first',
          description: 'All customers of your wallet, or those that match all filters.',
          tags: [...tags],
          querystring: customersQuery,
          response: answers(listSchema, { total: 1, elements: [customerExample] }),
        },
      },
      async (request) => {
        const page = unwrap(parsePage(request.query))
        const { q, ext_customerid: extCustomerId, name, email, phone } = request.query
        const filter = { q: q?.trim(), extCustomerId, name, email, phone }
        const { total, customers } = await listCustomers(database, callerOf(request).walletId, filter, page)
        return { total, elements: customers.map(customerOnWire) as never }
      },
    )

    app.get(
      `${path}/:id`,
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'getCustomer',
          summary: 'Read a customer',
          description: 'The data of one customer.',
          tags: [...tags],
          params: parameters,
          response: answers(customerSchema, customerExample),
        },
      },
      async (request) =>
        customerOnWire(await customerOf(callerOf(request).walletId, request.params.id)) as never,
    )

    app.patch(
      `${path}/:id`,
      {
        config: { auth, refusals: ['invalid_parameter', 'not_found', 'illegal_state'] },
        schema: {
          operationId: 'changeCustomer',
          summary: 'Change a customer',
          description: 'Changes the given fields. Payments that were made before keep their own data.',
          tags: [...tags],
          params: parameters,
          body: customerChange,
          response: answers(customerSchema, { ...customerExample, email: 'ana.silva@example.com' }),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'customer'))
        const data = unwrap(readCustomer(request.body))
        const changed = await changeCustomer(database, walletId, id, data, clock.now())
        if (changed === undefined) return notFound(id)
        if (changed === 'taken') return deny('illegal_state', taken)
        const { before, after } = changed
        // The log names the fields only, so that deleting the customer removes all personal data.
        request.changes = [{ field: `customer ${id}`, old: '', new: namesOfChanges(before, after) }]
        return customerOnWire(after) as never
      },
    )

    app.delete(
      `${path}/:id`,
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'deleteCustomer',
          summary: 'Delete a customer',
          description:
            'Erases name, e-mail, phone and the saved cards at once. Payments stay, with the data that they have. Answers `true`.',
          tags: [...tags],
          params: parameters,
          response: answers(Type.Boolean({ description: 'Always true.' }), true),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'customer'))
        const erased = await database.transaction(async (tx) => {
          const customer = await deleteCustomer(tx, walletId, id)
          if (customer === undefined) return undefined
          await forgetAnswer(tx, customer, JSON.stringify({ id }))
          return savedCards.eraseAll(tx, walletId, id)
        })
        if (erased === undefined) return notFound(id)
        request.changes = [{ field: `customer ${id}`, old: `${erased} saved cards`, new: 'deleted' }]
        return sendText(reply, 'true') as never
      },
    )

    app.get(
      `${path}/:id/payment_methods`,
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'listCustomerPaymentMethods',
          summary: 'List the saved cards of a customer',
          description: 'All saved cards, newest first. Checkouts offer those with the status `ACTIVE`.',
          tags: [...tags],
          params: parameters,
          response: answers(methodsSchema, { total: 1, elements: [paymentMethodExample] }),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const { id } = await customerOf(walletId, request.params.id)
        const cards = await savedCards.list(walletId, id)
        return { total: cards.length, elements: cards.map(paymentMethodOnWire) }
      },
    )

    app.delete(
      `${path}/:id/payment_methods/:method`,
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'deleteCustomerPaymentMethod',
          summary: 'Delete a saved card of a customer',
          description:
            'Erases the card at once. An open checkout refuses it too, unless the acquirer was already asked. Answers `true`.',
          tags: [...tags],
          params: methodParameters,
          response: answers(Type.Boolean({ description: 'Always true.' }), true),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const customerId = unwrap(idOf(request.params.id, 'customer'))
        const id = unwrap(idOf(request.params.method, 'saved card'))
        const erased = await savedCards.erase(walletId, customerId, id)
        if (erased === undefined) return deny('not_found', `the customer has no saved card ${id}`)
        const { brand, last4 } = erased
        request.changes = [
          { field: `customer ${customerId}`, old: `card ${brand} •••• ${last4}`, new: 'card deleted' },
        ]
        return sendText(reply, 'true') as never
      },
    )
  }
}

function notFound(id: string): never {
  return deny('not_found', `there is no customer ${id}`)
}

const names: Readonly<Record<keyof CustomerData, string>> = {
  extCustomerId: 'ext_customerid',
  name: 'name',
  email: 'email',
  phone: 'phone',
}

function namesOfChanges(before: Customer, after: Customer): string {
  const changed = (Object.keys(names) as (keyof CustomerData)[]).filter((key) => before[key] !== after[key])
  return changed.length === 0 ? 'unchanged' : `changed ${changed.map((key) => names[key]).join(', ')}`
}
