// Bank references and stored cards of a merchant.
import { Type } from 'typebox'
import { type App, amountOnWire, callerOf, idOf, parseExactInstant } from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { type CardCursor, type ListedCard, listCards } from '../../methods/cards/index.ts'
import { type ListedReference, listReferences } from '../../methods/multibanco/index.ts'
import { walletPrefix } from '../access/person.ts'
import { cardsAnswer, cardsQuery, referencesAnswer, referencesQuery } from '../contract/recurring.ts'
import type { BackofficeParts } from '../parts.ts'
import { momentOrNull } from './developers-keys.ts'

const perPage = 50

export function cursorOf(before: string | undefined): Result<string | undefined> {
  if (before === undefined) return ok(undefined)
  const id = idOf(before, 'entry')
  return id.ok ? id : wrongCursor()
}

function wrongCursor(): Result<never> {
  return refuse('invalid_parameter', 'before must be the value of next')
}

export function recurringRoutes({ database, gatewayClock, cards }: BackofficeParts): (app: App) => void {
  return (app) => {
    app.get(
      `${walletPrefix}recurring/references`,
      {
        schema: {
          summary: 'Bank references',
          querystring: referencesQuery,
          response: { 200: referencesAnswer },
        },
      },
      async (request) => {
        const { state, kind, ref, before } = request.query
        const page = { before: unwrap(cursorOf(before)), limit: perPage }
        const filter = { state, kind, ref: ref?.replaceAll(' ', '') }
        const { walletId } = callerOf(request)
        const { references, next } = await listReferences(
          database,
          walletId,
          filter,
          page,
          gatewayClock.now(),
        )
        return { references: references.map(referenceInJson), ...(next !== undefined && { next }) }
      },
    )

    app.get(
      `${walletPrefix}recurring/cards`,
      { schema: { summary: 'Stored cards', querystring: cardsQuery, response: { 200: cardsAnswer } } },
      async (request) => {
        const { last4, deleted = false, before } = request.query
        const page = { before: unwrap(cardCursorOf(before)), limit: perPage }
        const { walletId } = callerOf(request)
        const cards = await listCards(
          database,
          walletId,
          { last4, withDeleted: deleted },
          page,
          gatewayClock.now(),
        )
        const last = cards.length === perPage ? cards.at(-1) : undefined
        return {
          cards: cards.map(cardInJson),
          ...(last && { next: cursorAfter(last) }),
        }
      },
    )

    app.delete(
      `${walletPrefix}recurring/cards/:token`,
      {
        config: { people: { ability: 'card' } },
        schema: {
          summary: 'Delete a stored card',
          params: Type.Object({ wallet: Type.String(), token: Type.String() }),
        },
      },
      async (request) => {
        const card = unwrap(await cards.deleteCard(callerOf(request).walletId, request.params.token))
        const old = card.voidedAt === undefined ? 'stored' : 'deleted'
        request.changes = [{ field: `card ${card.brand} •••• ${card.last4}`, old, new: 'deleted' }]
        return {}
      },
    )
  }
}

/** The start of a token distinguishes cards stored at the same moment. It cannot pay. */
function cursorAfter({ createdAt, token }: ListedCard): string {
  return `${toTimestamp(createdAt)} ${token.slice(0, 8)}-0000-0000-0000-000000000000`
}

function cardCursorOf(text: string | undefined): Result<CardCursor | undefined> {
  if (text === undefined) return ok(undefined)
  const [at = '', token = ''] = text.split(' ')
  const createdAt = parseExactInstant(at, 'before')
  return createdAt.ok && isUuid(token) ? ok({ createdAt: createdAt.value, token }) : wrongCursor()
}

function referenceInJson(reference: ListedReference) {
  const { id, entity, ref, kind, state, amountMin, amountMax, createdAt, expires, operationId } = reference
  return {
    id,
    entity,
    ref,
    kind,
    state,
    amount_min: amountOnWire(amountMin),
    amount_max: amountOnWire(amountMax),
    created: toTimestamp(createdAt),
    expires: momentOrNull(expires),
    operation: operationId ?? null,
  }
}

function cardInJson(card: ListedCard) {
  const { token, brand, bin, last4, valdate, expired, verificationStatus, createdAt, voidedAt } = card
  return {
    token: token.toUpperCase(),
    brand,
    bin,
    last4,
    valdate,
    expired,
    verified: verificationStatus === 'VERIFIED',
    created: toTimestamp(createdAt),
    deleted: momentOrNull(voidedAt),
  }
}
