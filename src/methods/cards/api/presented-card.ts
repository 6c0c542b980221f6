// The card in a request: plain data, or from the secure form fields.

import { ok, type Result, refuse } from '../../../kernel/result.ts'
import type { Instant } from '../../../kernel/time.ts'
import type { CardUse, NewCardSecure } from '../../../secure-fields/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { CardDetails } from '../model.ts'
import { readCard } from '../rules.ts'
import type { CardApiContext, CardForm } from './pay.ts'

export interface PresentedCard {
  readonly card: CardDetails
  readonly use?: CardUse | undefined
}

export async function presentedCard(
  { core, fields }: Pick<CardApiContext, 'core' | 'fields'>,
  { wallet, plainAllowed }: { readonly wallet: Wallet; readonly plainAllowed: boolean },
  form: CardForm,
): Promise<Result<PresentedCard>> {
  const now = core.clock.now()
  switch (form.kind) {
    case 'token':
      return refuse('invalid_parameter', 'card must be left out: send newCard or newCardSecure')
    case 'plain': {
      if (!plainAllowed) {
        return refuse(
          'access_denied',
          'newCard needs the right pci_dss and a key with card_plain: send newCardSecure',
        )
      }
      const card = cardOf(form.fields, 'newCard', now)
      return card.ok ? ok({ card: card.value }) : card
    }
    case 'secure': {
      const opened = await fields.decryptCard(wallet.publicId, form.fields as NewCardSecure, now)
      if (!opened.ok) return opened
      const card = cardOf(opened.value, 'newCardSecure', now)
      return card.ok ? ok({ card: card.value, use: opened.value.use }) : card
    }
  }
}

const fieldNames = { number: 'number', name: 'name', expiry: 'valdate', vcode: 'vcode' } as const
const wanted = {
  number: 'must be a card number with a valid check digit',
  name: 'must be the name on the card, at most 100 characters',
  expiry: 'must be MM/YYYY and not in the past',
  vcode: 'must be the security code: 3 digits (American Express: 4)',
} as const

function cardOf(
  typed: {
    readonly number: string | null
    readonly name: string | null
    readonly vcode: string | null
    readonly valdate: string | null
  },
  form: 'newCard' | 'newCardSecure',
  now: Instant,
): Result<CardDetails> {
  const { number, name, vcode, valdate } = typed
  const read = readCard(
    { number: number ?? '', name: name ?? '', vcode: vcode ?? '', expiry: valdate ?? '' },
    now,
  )
  if (read.ok) return ok(read.card)
  for (const field of ['number', 'name', 'expiry', 'vcode'] as const) {
    const problem = read.problems[field]
    if (problem === 'missing') return refuse('missing_parameter', `${form}.${fieldNames[field]} is required`)
    if (problem !== undefined)
      return refuse('invalid_parameter', `${form}.${fieldNames[field]} ${wanted[field]}`)
  }
  return refuse('invalid_parameter', `${form} must be a card`)
}
