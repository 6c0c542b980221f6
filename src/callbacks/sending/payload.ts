// Payloads of operation callbacks (SPEC.md Events, CONTRACT section 16).
import { amountOnWire, dateOnWire } from '../../http/index.ts'
import type { Cents } from '../../kernel/money.ts'
import type { Instant } from '../../kernel/time.ts'

export interface OperationFacts {
  readonly id: string
  readonly walletId: bigint
  readonly type: string
  readonly operationStatus: string
  readonly event: string
  readonly method?: string | undefined
  readonly amount: Cents
  readonly currency: string
  readonly checkoutId?: string | undefined
  readonly parentId?: string | undefined
  readonly mb?: { readonly entity: string; readonly ref: string } | undefined
  readonly error?: string | undefined
  readonly extInvoiceId?: string | undefined
  readonly extEmail?: string | undefined
  readonly extCustomerId?: string | undefined
  readonly createdAt: Instant
  readonly modifiedAt: Instant
}

/** The payload always has SPEC.md's fields. Those of CONTRACT are there if they apply. */
export function operationCallback(operation: OperationFacts): Record<string, unknown> {
  return {
    amount: amountOnWire(operation.amount),
    create_date: dateOnWire(operation.createdAt),
    currency: operation.currency,
    event: operation.event,
    ext_customerid: operation.extCustomerId ?? null,
    ext_email: operation.extEmail ?? null,
    ext_invoiceid: operation.extInvoiceId ?? null,
    method: operation.method ?? null,
    modified_date: dateOnWire(operation.modifiedAt),
    operation_id: operation.id,
    operation_status: operation.operationStatus,
    user: Number(operation.walletId),
    type: operation.type,
    ...(operation.checkoutId === undefined ? {} : { checkout_id: operation.checkoutId }),
    ...(operation.parentId === undefined ? {} : { parent_operation_id: operation.parentId }),
    ...(operation.mb === undefined ? {} : { mb_entity: operation.mb.entity, mb_ref: operation.mb.ref }),
    ...(operation.error === undefined ? {} : { error: operation.error }),
  }
}
