// Audit: the ledger agrees with providers, or differences are explained.
import { type AuditCheck, auditCheck } from '../storage/index.ts'
import { settledAfterDays } from './rules.ts'

/** The audit reports a connection after more failures than this: at one try each hour, this is a week. */
const failuresMax = 24 * settledAfterDays

export const reconciliationChecks: readonly AuditCheck[] = [
  auditCheck(
    'statements_agree_with_the_ledger',
    'statement_lines',
    `select known.id::text as subject,
       known.kind || ' at connection ' || known.connection_id || ' since ' || known.day || ': '
         || coalesce('operation ' || known.operation_id, 'line ' || known.line_id) || ', ledger '
         || known.ledger_amount || ' cents, statement ' || known.statement_amount as detail
     from statement_differences as known
     where known.resolved_at is null and known.explained_at is null
       -- Counts days that were read, so that a provider that is down ages nothing.
       and known.day < (
         select max(day) from statement_days
         where statement_days.connection_id = known.connection_id and read_at is not null
       ) - ${settledAfterDays}`,
  ),
  auditCheck(
    'statements_are_read',
    'statement_days',
    `select connection_id || '/' || day as subject,
       'could not be read ' || failures || ' times in a row: ' || last_error as detail
     from statement_days where failures > ${failuresMax}`,
  ),
]
