// SEPA: direct debits.
import { createCustomerEngine, findAttemptByKey } from '../../operations/for-methods.ts'
import type { PaymentMethod } from '../method.ts'
import { debitAttemptHandler, type SepaDebitDeps } from './attempts.ts'
import { sepaDebitChecks } from './audit.ts'
import { sepaDebit } from './facts.ts'
import type { DebitDetails } from './model.ts'
import { debitPage } from './page.ts'
import { debitRail } from './refunds.ts'

export function createSepaDebit(deps: SepaDebitDeps) {
  const engine = createCustomerEngine<DebitDetails>(deps, debitAttemptHandler(deps))
  return {
    code: sepaDebit.code,
    page: debitPage(deps, engine),
    rail: debitRail(deps),
    attempts: engine,
    notices: {
      async bankOrder(key: string) {
        const debit = await findAttemptByKey<DebitDetails>(deps.database, sepaDebit.code, key)
        if (debit !== undefined) await engine.advance(debit)
        return debit !== undefined
      },
    },
    checks: sepaDebitChecks,
  } satisfies PaymentMethod
}
