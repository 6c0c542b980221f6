// What the audit proves: the checks of every module, the books first.
import { authorizationChecks } from '../authorizations/index.ts'
import { callbackChecks } from '../callbacks/index.ts'
import { cardPaymentChecks } from '../card-payments/index.ts'
import { attemptChecks } from '../cards/index.ts'
import { checkoutChecks } from '../checkouts/index.ts'
import { ledgerChecks } from '../ledger/index.ts'
import { mandateChecks } from '../mandates/index.ts'
import { mobilePaymentChecks } from '../mobile-payments/index.ts'
import { operationChecks } from '../operations/index.ts'
import { referenceChecks } from '../references/index.ts'
import type { AuditCheck } from '../storage/index.ts'
import { subscriptionChecks } from '../subscriptions/index.ts'
import { otherMethodChecks } from './other-methods.ts'

/** Without those that the drivers of the rails bring. */
export const gatewayChecks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...operationChecks,
  ...attemptChecks,
  ...cardPaymentChecks,
  ...authorizationChecks,
  ...referenceChecks,
  ...subscriptionChecks,
  ...mandateChecks,
  ...mobilePaymentChecks,
  ...otherMethodChecks,
  ...checkoutChecks,
  ...callbackChecks,
]
