// The audit: the checks of every module, the ledger first, and how they are run.
import { authorizationChecks } from '../authorizations/index.ts'
import { referenceChecks } from '../bank-references/index.ts'
import { callbackChecks } from '../callbacks/index.ts'
import { cardPaymentChecks } from '../card-payments/index.ts'
import { attemptChecks } from '../cards/index.ts'
import { checkoutChecks } from '../checkouts/index.ts'
import type { AuditReport } from '../cli/context.ts'
import { ledgerChecks } from '../ledger/index.ts'
import { mandateChecks } from '../mandates/index.ts'
import { mobilePaymentChecks } from '../mobile-payments/index.ts'
import { operationChecks } from '../operations/index.ts'
import { reconciliationChecks } from '../reconciliation/index.ts'
import type { AuditCheck, Database } from '../storage/index.ts'
import { subscriptionChecks } from '../subscriptions/index.ts'
import { suspenseChecks } from '../suspense/index.ts'
import { accountMethodChecks } from './account-methods.ts'

/** Without those of the drivers. */
export const gatewayChecks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...operationChecks,
  ...attemptChecks,
  ...cardPaymentChecks,
  ...authorizationChecks,
  ...referenceChecks,
  ...suspenseChecks,
  ...subscriptionChecks,
  ...mandateChecks,
  ...mobilePaymentChecks,
  ...accountMethodChecks,
  ...checkoutChecks,
  ...callbackChecks,
  ...reconciliationChecks,
]

/** Runs all checks; the report is what `comporta audit` prints. */
export async function audit(database: Database, checks: readonly AuditCheck[]): Promise<AuditReport> {
  const report = {
    ok: true,
    checks: {} as Record<string, number>,
    problems: [] as AuditReport['problems'][number][],
  }
  for (const check of checks) {
    const { examined, findings } = await check.run(database)
    report.checks[check.name] = examined
    report.problems.push(...findings)
  }
  return { ...report, ok: report.problems.length === 0 }
}
