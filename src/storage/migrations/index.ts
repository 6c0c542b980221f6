// Every step the database has gone through, in order. Steps are never changed once released; add another.
import { migrationList } from '../migration-list.ts'
import * as baseline from './0001-baseline.ts'
import * as packedRequestLog from './0002-packed-request-log.ts'
import { onlineIndexes } from './online-indexes.ts'

const steps = {
  '0001-baseline': baseline.sql,
  '0002-packed-request-log': packedRequestLog.sql,
} as const

export const coreMigrations = { ...migrationList(steps), indexes: onlineIndexes }
