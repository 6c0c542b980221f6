// The demo shop's own addresses: every one carries the visitor's session and language, because there is no cookie.
import { type Language, languageOf } from '../issuer/words.ts'
import { type Order, shopPath } from './model.ts'

/** Who is visiting. */
export interface Visit {
  readonly session: string
  readonly language: Language
}

/** Why a form was not taken to the gateway. */
export type Problem = 'empty_basket' | 'no_card_fields' | 'no_stored_card'

/** The shop's page, telling of one order or of a problem. */
export function pagePath(
  { session, language }: Visit,
  told: { order?: Order; problem?: Problem } = {},
): string {
  const query = new URLSearchParams({ session, lang: language })
  if (told.order !== undefined) query.set('order', told.order.reference)
  if (told.problem !== undefined) query.set('problem', told.problem)
  return `${shopPath}?${query}`
}

/** Where the gateway sends the browser when a payment has ended, well or not. */
export function returnUrl(baseUrl: string, { session, language }: Visit, reference: string): string {
  return `${baseUrl}${shopPath}/return?${new URLSearchParams({ session, lang: language, order: reference })}`
}

/** Where the page hears what happens, and what becomes of the order that it tells of. */
export function eventsPath({ session, language }: Visit, order: Order | undefined): string {
  const query = new URLSearchParams({ session, lang: language })
  if (order !== undefined) query.set('order', order.reference)
  return `${shopPath}/events?${query}`
}

/** The language asked for, else the browser's. */
export function languageFor(asked: unknown, acceptLanguage: string | undefined): Language {
  return asked === 'en' || asked === 'pt' ? asked : languageOf(acceptLanguage)
}
