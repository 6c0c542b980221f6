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
import { railBooksChecks, referenceNetworkChecks } from '../../sandbox/index.ts'
import type { AuditCheck } from '../storage/index.ts'
import { subscriptionChecks } from '../subscriptions/index.ts'
import { otherMethodChecks } from './other-methods.ts'

/** The sandbox's rails have their books in the same database, so that these are proved as well. */
export function checksFor(mode: 'sandbox' | 'production'): readonly AuditCheck[] {
  return mode === 'sandbox' ? [...allChecks, ...railBooksChecks] : allChecks
}

const allChecks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...operationChecks,
  ...attemptChecks,
  ...cardPaymentChecks,
  ...authorizationChecks,
  ...referenceChecks,
  ...referenceNetworkChecks,
  ...subscriptionChecks,
  ...mandateChecks,
  ...mobilePaymentChecks,
  ...otherMethodChecks,
  ...checkoutChecks,
  ...callbackChecks,
]
