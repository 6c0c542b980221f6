// Authorizations on the wire: the body of captures and releases, and the schema of an authorization with both.
import { type Static, Type } from 'typebox'
import { orEmptyList, parseAmount, requestAmount, requestIdSchema } from '../http/index.ts'
import type { Cents } from '../kernel/money.ts'
import { ok, type Result } from '../kernel/result.ts'
import {
  cardPaymentExample,
  dryRun,
  movementsListedMax,
  movementsReadMax,
  operationFields,
} from '../operations/for-movements.ts'
import {
  type MerchantReferences,
  merchantReferenceFields,
  merchantReferencesOf,
  operationSchema,
} from '../operations/index.ts'

/** SPEC.md "CaptureRequest and ReleaseRequest": every field may be left out, and the body as well. */
export const takeBody = Type.Object(
  {
    ...dryRun,
    amount: Type.Optional(requestAmount('In euros; all that remains where it is left out.', 0.2)),
    ...merchantReferenceFields,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'CaptureOrReleaseRequest',
    description: 'Every field may be left out, and the body as well: then all that remains is taken.',
    examples: [{ amount: 5, ext_invoiceid: '2026-0042' }],
    ...orEmptyList,
  },
)

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
      `All ${what}, oldest first: the newest ${movementsReadMax}, and in a list the newest ${movementsListedMax}; ` +
      '`GET /api/v2/operations?parent=<id>` lists all, in pages.',
  })
}

/** An authorization as it is written, for the API reference. */
export const authorizationSchema = Type.Object(
  { ...operationFields, captures: movementsOf('captures'), releases: movementsOf('releases') },
  {
    title: 'Authorization',
    description: 'A reserved amount, with what was captured and released of it.',
    additionalProperties: true,
  },
)

export const authorizationExample = {
  ...cardPaymentExample,
  type: 'AUTH',
  amount_net: 10.5,
  fee: 0,
  refundable: false,
  expires: '2026-04-01T17:30:00+0000',
  captures: [],
  releases: [],
}
