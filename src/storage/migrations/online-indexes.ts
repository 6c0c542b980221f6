// New indexes of large tables, built after the steps.
import type { OnlineIndexes } from '../indexes.ts'

export const onlineIndexes: OnlineIndexes = {}
