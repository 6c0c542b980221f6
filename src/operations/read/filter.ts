// Filters of operation lists, from the query string.

import { type Static, Type } from 'typebox'
import { dayRangeQuery, documented, pageQuery, parseLisbonDayRange } from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { parsePhoneInAddress } from '../../kernel/values/phones.ts'
import { methods, phoneMethods } from '../../methods/list.ts'
import { operationTypes } from '../model.ts'
import type { OperationFilter } from './list.ts'

const one = (description: string, keywords: Readonly<Record<string, unknown>> = {}) =>
  Type.Optional(Type.String({ description, ...documented(keywords) }))

export const sharedQuery = {
  ...pageQuery,
  ...dayRangeQuery,
  id: one('A UUID.', { format: 'uuid' }),
  method: one(`One of ${methods.join(', ')}.`, { enum: methods }),
  number4: one('The last 4 digits of a card. You may omit leading zeros.', {
    pattern: String.raw`^\d{1,4}$`,
  }),
  phone: one(`A phone number with + and country code; needs method ${phoneMethods.join(', ')}.`),
  ext_invoiceid: one("The merchant's transaction reference."),
}
const sharedQuerySchema = Type.Object(sharedQuery)

export const listQuery = Type.Object({
  ...sharedQuery,
  type: one(`One of ${operationTypes.join(', ')}.`, { enum: operationTypes }),
  parent: one('UUID of an authorization or payment: finds its captures and releases, or its refunds.', {
    format: 'uuid',
  }),
  mb_ref: one('The 9 digits of a reference.', { pattern: String.raw`^\d{9}$` }),
})

export function readFilter(query: Static<typeof listQuery>): Result<OperationFilter> {
  const shared = readSharedFilter(query)
  if (!shared.ok) return shared
  const type = wordOf('type', query.type, operationTypes)
  if (!type.ok) return type
  if (query.parent !== undefined && !isUuid(query.parent)) {
    return refuse('invalid_parameter', 'parent must be a UUID')
  }
  const mbRef = query.mb_ref?.replaceAll(' ', '')
  if (mbRef !== undefined && !/^\d{9}$/.test(mbRef)) {
    return refuse('invalid_parameter', 'mb_ref must be the 9 digits of a reference')
  }
  const types = type.value === undefined ? undefined : [type.value]
  return ok({ ...shared.value, types, parentId: query.parent, mbRef })
}

export function readSharedFilter(query: Static<typeof sharedQuerySchema>): Result<OperationFilter> {
  const range = parseLisbonDayRange(query.startdate, query.enddate)
  if (!range.ok) return range
  if (query.id !== undefined && !isUuid(query.id)) return refuse('invalid_parameter', 'id must be a UUID')
  const method = wordOf('method', query.method, methods)
  if (!method.ok) return method
  if (query.number4 !== undefined && !/^\d{1,4}$/.test(query.number4)) {
    return refuse('invalid_parameter', 'number4 must be the last 4 digits of a card')
  }
  const phone = phoneOf(query.phone)
  if (!phone.ok) return phone
  if (phone.value !== undefined && method.value !== undefined && !phoneMethods.includes(method.value)) {
    const needed = phoneMethods.map((each) => `method=${each}`).join(' or ')
    return refuse('invalid_parameter', `phone also needs ${needed}, or leave method out`)
  }
  return ok({
    id: query.id,
    method: method.value,
    from: range.value.from,
    until: range.value.until,
    last4: query.number4?.padStart(4, '0'),
    phone: phone.value,
    extInvoiceId: query.ext_invoiceid,
  })
}

function wordOf<Word extends string>(
  field: string,
  text: string | undefined,
  words: readonly Word[],
): Result<Word | undefined> {
  if (text === undefined) return ok(undefined)
  const word = words.find((candidate) => candidate === text.toUpperCase())
  return word === undefined
    ? refuse('invalid_parameter', `${field} must be one of ${words.join(', ')}`)
    : ok(word)
}

function phoneOf(text: string | undefined): Result<string | undefined> {
  if (text === undefined) return ok(undefined)
  const phone = parsePhoneInAddress(text, 'phone')
  if (phone.ok) return phone
  const digits = text.replace(/^ /, '+').replaceAll(' ', '')
  return /^\+\d{6,15}$/.test(digits) ? ok(digits) : phone
}
