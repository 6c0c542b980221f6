// All migration steps, in order. Never change a released step.

import type { OnlineIndexes } from '../indexes.ts'
import { migrationList } from '../migration-list.ts'
import * as baseline from './0001-baseline.ts'

const steps = {
  '0001-baseline': baseline.sql,
} as const

/** New indexes of large tables, built after the steps. */
const onlineIndexes: OnlineIndexes = {}

export const coreMigrations = { ...migrationList(steps), indexes: onlineIndexes }
