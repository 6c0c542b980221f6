// Indexes that a version adds to tables that grow with every payment, built after the steps (docs/decisions/0023).
import type { OnlineIndexes } from '../indexes.ts'

export const onlineIndexes: OnlineIndexes = {}
