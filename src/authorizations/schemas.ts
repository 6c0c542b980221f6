// Authorizations on the wire: the body of captures and releases, and the schema of an authorization with both.
import { type Static, Type } from 'typebox'
import { amountSchema, parseAmount, textSchema } from '../http/index.ts'
import type { Cents } from '../kernel/money.ts'
import { ok, type Result } from '../kernel/result.ts'
import {
  dryRun,
  type MerchantReferences,
  merchantReferenceFields,
  merchantReferencesOf,
  operationSchema,
} from '../operations/index.ts'
import { movementsShownMax } from './rules.ts'

/** SPEC.md "CaptureRequest and ReleaseRequest": every field may be left out, and the body as well. */
export const takeBody = Type.Object({
  ...dryRun,
  amount: Type.Optional(amountSchema),
  ...merchantReferenceFields,
  request_id: Type.Optional(textSchema(36)),
})

/** What is asked for. Refusals: invalid_parameter for an amount that is none. */
export function readTake(
  body: Static<typeof takeBody>,
): Result<{ readonly amount: Cents | undefined; readonly merchantReferences: MerchantReferences }> {
  const merchantReferences = merchantReferencesOf(body)
  if (body.amount === undefined) return ok({ amount: undefined, merchantReferences })
  const amount = parseAmount(body.amount, 'amount')
  return amount.ok ? ok({ amount: amount.value, merchantReferences }) : amount
}

function movementsOf(what: string) {
  return Type.Array(operationSchema, {
    description:
      `The newest ${movementsShownMax} ${what}, oldest first; ` +
      '`GET /api/v2/operations?parent=<id>` lists all, in pages.',
  })
}

/** An authorization as it is written, for the API reference. */
export const authorizationSchema = Type.Intersect([
  operationSchema,
  Type.Object({ captures: movementsOf('captures'), releases: movementsOf('releases') }),
])
