// All migration steps, in order. Never change a released step.
import { migrationList } from '../migration-list.ts'
import * as baseline from './0001-baseline.ts'
import { onlineIndexes } from './online-indexes.ts'

const steps = {
  '0001-baseline': baseline.sql,
} as const

export const coreMigrations = { ...migrationList(steps), indexes: onlineIndexes }
