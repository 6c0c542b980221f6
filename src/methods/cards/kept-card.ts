// The last card, sealed in a cookie, so that the customer types only the code.
import { open, seal } from '../../kernel/sealing.ts'
import { after, instant, minute } from '../../kernel/time.ts'
import { isCardNumber } from '../../kernel/values/card-numbers.ts'
import type { PageCore } from '../../module.ts'
import type { AnyVisit } from '../method.ts'

export interface KeptCard {
  readonly number: string
  readonly expiry: string
  readonly name: string
}

type OfVisit = Pick<AnyVisit, 'checkout' | 'cookies'>

export type KeptCards = ReturnType<typeof createKeptCards>

interface CardTyped {
  readonly number?: string | undefined
  readonly expiry?: string | undefined
  readonly name?: string | undefined
}

const cookieName = 'comporta_card'
const keptMinutes = 15
const expiryLengthMax = 9
const nameLengthMax = 100

export function createKeptCards({ keyring, random, clock }: Pick<PageCore, 'keyring' | 'random' | 'clock'>) {
  return {
    keep({ checkout, cookies }: OfVisit, form: CardTyped): void {
      const card = typedCard(form)
      if (card === undefined) return
      const kept: Stored = { ...card, until: after(clock.now(), keptMinutes * minute) }
      const sealed = seal(keyring, JSON.stringify(kept), associatedDataOf(checkout.id), random)
      cookies.set(cookieName, sealed.toString('base64url'), keptMinutes * 60)
    },
    read({ checkout, cookies }: OfVisit): KeptCard | undefined {
      const sealed = cookies.get(cookieName)
      if (sealed === undefined) return undefined
      try {
        const text = open(keyring, Buffer.from(sealed, 'base64url'), associatedDataOf(checkout.id)).toString()
        const { number, expiry, name, until } = JSON.parse(text) as Stored
        return clock.now() < instant(until) ? { number, expiry, name } : undefined
      } catch {
        return undefined
      }
    },
    forget: ({ cookies }: OfVisit) => cookies.set(cookieName, '', 0),
  }
}

interface Stored extends KeptCard {
  readonly until: number
}

function associatedDataOf(checkoutId: string): string {
  return `kept card of checkout ${checkoutId}`
}

export function typedCard(form: CardTyped): KeptCard | undefined {
  const number = (form.number ?? '').replace(/[\s-]/g, '')
  if (!isCardNumber(number)) return undefined
  const expiry = (form.expiry ?? '').trim().slice(0, expiryLengthMax)
  return { number, expiry, name: (form.name ?? '').trim().slice(0, nameLengthMax) }
}

/** Fills in the stored number if the page showed this card. Another tab may have stored another one. */
export function withKeptNumber<Form extends CardTyped & { readonly kept?: string | undefined }>(
  form: Form,
  card: KeptCard | undefined,
): Form {
  const wanted =
    card !== undefined && (form.number ?? '').trim() === '' && form.kept === card.number.slice(-4)
  return wanted ? { ...form, number: card.number } : form
}
