// The tables by which operations are searched, kept behind them.
import type { Method } from '../../methods/list.ts'
import { column, table } from '../../storage/tables/table.ts'
import type { Channel, OperationStatus, OperationType } from '../model.ts'

/**
 * Which operations a statement wrote, until they are taken over.
 *
 * @public Compared with the schema.
 */
export const changedOperations = table('changed_operations', {
  walletIds: column.bigint().array(),
  operationIds: column.uuid().array(),
})

/** A combination of all that lists are narrowed by. */
export const operationFacets = table('operation_facets', {
  walletId: column.bigint(),
  /** A hash of the others. */
  facet: column.bigint(),
  type: column.text<OperationType>(),
  status: column.text<OperationStatus>(),
  method: column.text<Method>().optional(),
  channel: column.text<Channel>(),
  store: column.bigint().optional(),
  isOutgoing: column.boolean(),
})

/** @public Compared with the schema. */
export const operationIndex = table('operation_index', {
  walletId: column.bigint(),
  id: column.uuid(),
  facet: column.bigint(),
  /** In cents, without its sign. */
  amount: column.cents(),
})

/**
 * Each text that an operation may be found by.
 *
 * @public Compared with the schema.
 */
export const operationTerms = table('operation_terms', {
  walletId: column.bigint(),
  /** In lower case. */
  term: column.text(),
  id: column.uuid(),
  facet: column.bigint(),
  amount: column.cents(),
})

/** How many of each facet were made on each day in Lisbon, and what they add up to. */
export const operationDays = table('operation_days', {
  walletId: column.bigint(),
  day: column.day(),
  facet: column.bigint(),
  operations: column.bigint(),
  /** In cents, without its sign. */
  amount: column.cents(),
})
