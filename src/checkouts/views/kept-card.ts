// The card that was tried last: sealed in a cookie of the customer's browser, so that only the code is asked again.
import { brandOf } from '../../cards/index.ts'
import type { AppReply, AppRequest } from '../../http/index.ts'
import type { Randomness } from '../../kernel/random.ts'
import { type Keyring, open, seal } from '../../kernel/sealing.ts'
import { after, type Clock, instant, minute } from '../../kernel/time.ts'
import { isCardNumber } from '../../kernel/values/card-numbers.ts'
import type { KeptCardShown } from '../../pages/index.ts'

/** As it was typed, and never with its security code. */
export interface KeptCard {
  /** Digits only. */
  readonly number: string
  readonly expiry: string
  readonly name: string
}

export interface KeptCardDeps {
  readonly keyring: Keyring
  readonly random: Randomness
  readonly clock: Clock
  readonly baseUrl: string
}

export interface KeptCards {
  /** Keeps the card of a posted form in the browser that posted it; a number that is none is not kept. */
  keep(reply: AppReply, checkoutId: string, form: CardTyped): KeptCard | undefined
  /** The card that this browser keeps for the checkout, unless its minutes are over. */
  read(request: AppRequest, checkoutId: string): KeptCard | undefined
  forget(reply: AppReply, checkoutId: string): void
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

export function createKeptCards({ keyring, random, clock, baseUrl }: KeptCardDeps): KeptCards {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''

  function setCookie(reply: AppReply, checkoutId: string, value: string, seconds: number): void {
    const where = `Path=/checkout/${checkoutId}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
    reply.header('set-cookie', `${cookieName}=${value}; ${where}`)
  }

  return {
    keep(reply, checkoutId, form) {
      const number = (form.number ?? '').replace(/[\s-]/g, '')
      if (!isCardNumber(number)) return undefined
      const expiry = (form.expiry ?? '').trim().slice(0, expiryLengthMax)
      const card = { number, expiry, name: (form.name ?? '').trim().slice(0, nameLengthMax) }
      const kept: Stored = { ...card, until: after(clock.now(), keptMinutes * minute) }
      const sealed = seal(keyring, JSON.stringify(kept), associatedDataOf(checkoutId), random)
      setCookie(reply, checkoutId, sealed.toString('base64url'), keptMinutes * 60)
      return card
    },
    read(request, checkoutId) {
      const sealed = cookieOf(request)
      if (sealed === undefined) return undefined
      try {
        const text = open(keyring, Buffer.from(sealed, 'base64url'), associatedDataOf(checkoutId)).toString()
        const { number, expiry, name, until } = JSON.parse(text) as Stored
        return clock.now() < instant(until) ? { number, expiry, name } : undefined
      } catch {
        // Of another checkout, under a key that is gone, or forged: ignored.
        return undefined
      }
    },
    forget: (reply, checkoutId) => setCookie(reply, checkoutId, '', 0),
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

function cookieOf({ headers }: AppRequest): string | undefined {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]
}

/** What the page may show of it. */
export function shownCard({ number }: KeptCard): KeptCardShown {
  return { type: brandOf(number), last4: number.slice(-4) }
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
