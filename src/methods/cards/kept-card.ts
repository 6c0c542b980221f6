// The card that was tried last: sealed in a cookie of the customer's browser, so that only the code is asked again.
import { open, seal } from '../../kernel/sealing.ts'
import { after, instant, minute } from '../../kernel/time.ts'
import { isCardNumber } from '../../kernel/values/card-numbers.ts'
import type { PageCore } from '../../module.ts'
import type { AnyVisit } from '../method.ts'

/** As it was typed, and never with its security code. */
export interface KeptCard {
  /** Digits only. */
  readonly number: string
  readonly expiry: string
  readonly name: string
}

type OfVisit = Pick<AnyVisit, 'checkout' | 'cookies'>

export interface KeptCards {
  /** Keeps the card of a posted form in the browser that posted it; a number that is none is not kept. */
  keep(visit: OfVisit, form: CardTyped): void
  /** The card that this browser keeps for the checkout, unless its minutes are over. */
  read(visit: OfVisit): KeptCard | undefined
  forget(visit: OfVisit): void
}

interface CardTyped {
  readonly number?: string | undefined
  readonly expiry?: string | undefined
  readonly name?: string | undefined
}

const cookieName = 'comporta_card'
/** As long as an issuer may take to find out who is paying. */
const keptMinutes = 15
/** Lengths of the other fields of the form. */
const expiryLengthMax = 9
const nameLengthMax = 100

export function createKeptCards({
  keyring,
  random,
  clock,
}: Pick<PageCore, 'keyring' | 'random' | 'clock'>): KeptCards {
  return {
    keep({ checkout, cookies }, form) {
      const card = typedCard(form)
      if (card === undefined) return
      const kept: Stored = { ...card, until: after(clock.now(), keptMinutes * minute) }
      const sealed = seal(keyring, JSON.stringify(kept), associatedDataOf(checkout.id), random)
      cookies.set(cookieName, sealed.toString('base64url'), keptMinutes * 60)
    },
    read({ checkout, cookies }) {
      const sealed = cookies.get(cookieName)
      if (sealed === undefined) return undefined
      try {
        const text = open(keyring, Buffer.from(sealed, 'base64url'), associatedDataOf(checkout.id)).toString()
        const { number, expiry, name, until } = JSON.parse(text) as Stored
        return clock.now() < instant(until) ? { number, expiry, name } : undefined
      } catch {
        // Of another checkout, under a key that is gone, or forged: ignored.
        return undefined
      }
    },
    forget: ({ cookies }) => cookies.set(cookieName, '', 0),
  }
}

interface Stored extends KeptCard {
  /** Milliseconds. */
  readonly until: number
}

/** Binds a kept card to its checkout: it opens nowhere else. */
function associatedDataOf(checkoutId: string): string {
  return `kept card of checkout ${checkoutId}`
}

/** The card of a form, as it is kept; undefined where its number is none. */
export function typedCard(form: CardTyped): KeptCard | undefined {
  const number = (form.number ?? '').replace(/[\s-]/g, '')
  if (!isCardNumber(number)) return undefined
  const expiry = (form.expiry ?? '').trim().slice(0, expiryLengthMax)
  return { number, expiry, name: (form.name ?? '').trim().slice(0, nameLengthMax) }
}

/**
 * The form with the kept number in place of an empty one, where the page that was posted showed that very card:
 * another tab may have kept another one since.
 */
export function withKeptNumber<Form extends CardTyped & { readonly kept?: string | undefined }>(
  form: Form,
  card: KeptCard | undefined,
): Form {
  const wanted =
    card !== undefined && (form.number ?? '').trim() === '' && form.kept === card.number.slice(-4)
  return wanted ? { ...form, number: card.number } : form
}
