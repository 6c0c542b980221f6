// Authorizations on the wire.
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

/** The body is optional (SPEC.md "CaptureRequest and ReleaseRequest"). */
export const takeBody = Type.Object(
  {
    ...dryRun,
    amount: Type.Optional(requestAmount('Amount in euros. Default: the rest.', 0.2)),
    ...merchantReferenceFields,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'CaptureOrReleaseRequest',
    description: 'The body and every field are optional. Default: the whole rest.',
    examples: [{ amount: 5, ext_invoiceid: '2026-0042' }],
    ...orEmptyList,
  },
)

/** Refusals: invalid_parameter for an invalid amount. */
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

export const authorizationSchema = Type.Object(
  { ...operationFields, captures: movementsOf('captures'), releases: movementsOf('releases') },
  {
    title: 'Authorization',
    description: 'An amount on hold, with its captures and releases.',
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
