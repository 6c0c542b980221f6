// All migration steps, in order. Never change a released step.

import { type Migration, sql } from 'kysely'
import type { OnlineIndexes } from '../indexes.ts'
import { migrationPlanningSql } from '../postgres/planning.ts'
import * as baseline from './0001-baseline.ts'
import * as packedRequestLog from './0002-packed-request-log.ts'
import * as searchBlocks from './0003-search-blocks.ts'
import * as leanerWrites from './0004-leaner-writes.ts'
import * as refundAccounts from './0005-refund-accounts.ts'
import * as liveProcesses from './0006-live-processes.ts'
import * as cell from './0007-cell.ts'
import * as mail from './0008-mail.ts'
import * as autoCharges from './0009-auto-charges.ts'
import * as accountRefunds from './0010-account-refunds.ts'
import * as callbackEndpoints from './0011-callback-endpoints.ts'
import * as customers from './0012-customers.ts'
import * as mailOfReferences from './0014-mail-of-references.ts'
import * as embedOrigins from './0015-embed-origins.ts'
import * as fairResends from './0017-fair-resends.ts'

const steps = {
  '0001-baseline': baseline.sql,
  '0002-packed-request-log': packedRequestLog.sql,
  '0003-search-blocks': searchBlocks.sql,
  '0004-leaner-writes': leanerWrites.sql,
  '0005-refund-accounts': refundAccounts.sql,
  '0006-live-processes': liveProcesses.sql,
  '0007-cell': cell.sql,
  '0008-mail': mail.sql,
  '0009-auto-charges': autoCharges.sql,
  '0010-account-refunds': accountRefunds.sql,
  '0011-callback-endpoints': callbackEndpoints.sql,
  '0012-customers': customers.sql,
  '0014-mail-of-references': mailOfReferences.sql,
  '0015-embed-origins': embedOrigins.sql,
  '0017-fair-resends': fairResends.sql,
} as const

/** New indexes of large tables are built after the steps, without blocking. */
const onlineIndexes: OnlineIndexes = {
  ...searchBlocks.indexes,
  ...accountRefunds.indexes,
  ...fairResends.indexes,
  ...customers.indexes,
}

export const coreMigrations = { ...migrationList(steps), indexes: onlineIndexes }

export interface MigrationList {
  readonly steps: Readonly<Record<string, Migration>>
  readonly schema?: string
  readonly indexes?: OnlineIndexes
}

/** `steps` by name, in order. Never change a released step. */
export function migrationList(steps: Readonly<Record<string, string>>, schema?: string): MigrationList {
  const migrations = Object.entries(steps).map(([name, text]): [string, Migration] => [
    name,
    {
      up: async (db) => {
        await sql.raw(migrationPlanningSql + text).execute(db)
      },
    },
  ])
  return { steps: Object.fromEntries(migrations), ...(schema === undefined ? {} : { schema }) }
}
