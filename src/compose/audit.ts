// The checks of the audit: those of every module, the ledger first.
import { authorizationChecks } from '../authorizations/index.ts'
import { bankFileChecks } from '../bank-files/index.ts'
import { callbackChecks } from '../callbacks/index.ts'
import { checkoutChecks } from '../checkouts/index.ts'
import { ledgerChecks } from '../ledger/index.ts'
import { mandateChecks } from '../mandates/index.ts'
import { balanceChecks } from '../methods/balance/index.ts'
import { bankTransferChecks } from '../methods/bank-transfer/index.ts'
import { cardChecks } from '../methods/cards/index.ts'
import { referenceChecks } from '../methods/multibanco/index.ts'
import { paypalChecks } from '../methods/paypal/index.ts'
import { sepaDebitChecks } from '../methods/sepa-debit/index.ts'
import { mobilePaymentChecks } from '../mobile-payments/index.ts'
import { operationChecks } from '../operations/index.ts'
import { payoutChecks } from '../payouts/index.ts'
import { reconciliationChecks } from '../reconciliation/index.ts'
import { statementChecks } from '../statements/index.ts'
import type { AuditCheck } from '../storage/index.ts'
import { subscriptionChecks } from '../subscriptions/index.ts'
import { suspenseChecks } from '../suspense/index.ts'

/** Without those of the drivers. */
export const gatewayChecks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...operationChecks,
  ...cardChecks,
  ...authorizationChecks,
  ...referenceChecks,
  ...suspenseChecks,
  ...subscriptionChecks,
  ...mandateChecks,
  ...mobilePaymentChecks,
  ...paypalChecks,
  ...sepaDebitChecks,
  ...balanceChecks,
  ...bankTransferChecks,
  ...payoutChecks,
  ...statementChecks,
  ...bankFileChecks,
  ...checkoutChecks,
  ...callbackChecks,
  ...reconciliationChecks,
]
