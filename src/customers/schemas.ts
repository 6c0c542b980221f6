// Requests and answers of customers.
import { Type } from 'typebox'
import {
  coerceNumberToString,
  dateOnWire,
  described,
  documented,
  exampleId,
  exampleMoment,
  idField,
  momentField,
  pageQuery,
  phoneSchema,
  requestIdSchema,
  textSchema,
  wordField,
} from '../http/index.ts'
import { methods, methodsDefault } from '../methods/list.ts'
import { type Customer, type PaymentMethod, paymentMethodStatuses } from './model.ts'

const extCustomerIdLengthMax = 45
const textLengthMax = 100

const customerFields = {
  ext_customerid: Type.Optional(
    described(
      textSchema(extCustomerIdLengthMax, coerceNumberToString),
      'Your reference of the customer. No two customers of your wallet have the same one.',
      { examples: ['C-17'] },
    ),
  ),
  name: Type.Optional(
    described(textSchema(textLengthMax), 'Name of the customer.', { examples: ['Ana Silva'] }),
  ),
  email: Type.Optional(
    described(textSchema(textLengthMax), 'E-mail address.', { examples: ['ana@example.com'] }),
  ),
  phone: Type.Optional(phoneSchema),
}

const example = {
  ext_customerid: 'C-17',
  name: 'Ana Silva',
  email: 'ana@example.com',
  phone: '+351911234567',
}

export const customerBody = Type.Object(
  { ...customerFields, request_id: Type.Optional(requestIdSchema) },
  {
    title: 'CustomerRequest',
    description: 'A customer of your shop. Every field is optional.',
    examples: [example],
  },
)

export const customerChange = Type.Object(customerFields, {
  title: 'CustomerChange',
  description: 'The fields to change. An empty text removes a value.',
  examples: [{ email: 'ana.silva@example.com' }],
})

const text = (description: string) => Type.Optional(Type.String({ description }))

export const customerSchema = Type.Object(
  {
    id: idField('Id of the customer, for `customer.id` of a checkout.'),
    ext_customerid: text('Your reference of the customer.'),
    name: text('Name of the customer.'),
    email: text('E-mail address.'),
    phone: text('Phone number with + and country code.'),
    date: momentField('Time of creation.'),
    modified_date: momentField('Time of the last change.'),
  },
  { title: 'ShopCustomer', description: 'A customer of your shop.' },
)

export const customerExample = {
  id: exampleId,
  ...example,
  date: exampleMoment,
  modified_date: exampleMoment,
}

const filter = (description: string) => Type.Optional(Type.String({ description: `Filter: ${description}` }))

export const customersQuery = Type.Object({
  ...pageQuery,
  q: filter('any of these fields or the id, or the beginning of the name.'),
  ext_customerid: filter('your reference of the customer.'),
  name: filter('beginning of the name. Capitals and accents make no difference.'),
  email: filter('e-mail address, in upper or lower case.'),
  phone: Type.Optional(
    Type.String({
      description: 'Filter: phone number.',
      ...documented({ examples: ['+351911234567'] }),
    }),
  ),
})

export const paymentMethodSchema = Type.Object(
  {
    id: idField('Id of the saved card, to delete it. You cannot charge it.'),
    method: wordField(methods, 'The method: a card.'),
    status: wordField(
      paymentMethodStatuses,
      'ACTIVE: checkouts offer it. EXPIRED: its month is over. REFUSED: its issuer said that it is lost, stolen, expired or unknown.',
    ),
    card: Type.Object(
      {
        type: Type.String({ description: 'Brand.', examples: ['visa'] }),
        last4: Type.String({ description: 'Last four digits.', examples: ['0027'] }),
        valdate: Type.String({ description: 'Month of expiry, MM/YYYY.', examples: ['12/2030'] }),
      },
      { title: 'SavedCard', description: 'The card.' },
    ),
    date: momentField('Time at which the customer saved it.'),
  },
  { title: 'SavedPaymentMethod', description: 'A card that a customer saved for your shop.' },
)

export const paymentMethodExample = {
  id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
  method: methodsDefault[0],
  status: 'ACTIVE',
  card: { type: 'visa', last4: '0027', valdate: '12/2030' },
  date: exampleMoment,
}

export function customerOnWire({ id, extCustomerId, name, email, phone, ...customer }: Customer) {
  return {
    id,
    ext_customerid: extCustomerId,
    name,
    email,
    phone,
    date: dateOnWire(customer.createdAt),
    modified_date: dateOnWire(customer.modifiedAt),
  }
}

export function paymentMethodOnWire({ id, method, brand, last4, valdate, status, createdAt }: PaymentMethod) {
  return {
    id,
    method,
    status,
    card: { type: brand, last4, valdate },
    date: dateOnWire(createdAt),
  }
}
