// Rules of customers: the data that a merchant may keep.
import { ok, type Result, refuse } from '../kernel/result.ts'
import { parsePhone } from '../kernel/values/phones.ts'
import { isEmailAddress } from '../kernel/values/web-address.ts'
import type { CustomerData } from './model.ts'

export interface SentCustomer {
  readonly ext_customerid?: string | null
  readonly name?: string | null
  readonly email?: string | null
  readonly phone?: string | null
}

/** Control characters, line ends and marks of direction, which could reverse a line of a page. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/**
 * The sent fields. An empty text or null removes a value, an absent field keeps it.
 * Refusals: invalid_parameter.
 */
export function readCustomer(body: SentCustomer): Result<Partial<CustomerData>> {
  const read: { -readonly [Field in keyof CustomerData]: CustomerData[Field] } = {}
  if (body.ext_customerid !== undefined) read.extCustomerId = textOf(body.ext_customerid)
  if (body.name !== undefined) read.name = textOf(body.name)
  if (body.email !== undefined) {
    read.email = textOf(body.email)
    if (read.email !== undefined && !isEmailAddress(read.email))
      return refuse('invalid_parameter', 'email must be an e-mail address such as ana@example.com')
  }
  if (body.phone !== undefined) {
    const text = textOf(body.phone)
    const phone = text === undefined ? ok(undefined) : parsePhone(text, 'phone')
    if (!phone.ok) return phone
    read.phone = phone.value
  }
  return ok(read)
}

/** The name to search for: without accents, in lower case. */
export function nameKeyOf(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function textOf(text: string | null): string | undefined {
  const line = (text ?? '').replace(unprintable, ' ').trim()
  return line === '' ? undefined : line
}
