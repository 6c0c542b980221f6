// The tables for searching operations.
import type { Method } from '../../methods/list.ts'
import { column, table } from '../../storage/tables/table.ts'
import type { Channel, OperationStatus, OperationType } from '../model.ts'

/** Operations written but not yet indexed. @public Compared with the schema. */
export const changedOperations = table('changed_operations', {
  walletIds: column.bigint().array(),
  operationIds: column.uuid().array(),
})

export const operationFacets = table('operation_facets', {
  walletId: column.bigint(),
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
  /** In cents, without sign. */
  amount: column.cents(),
})

/** Texts that find an operation. @public Compared with the schema. */
export const operationTerms = table('operation_terms', {
  walletId: column.bigint(),
  term: column.text(),
  id: column.uuid(),
  facet: column.bigint(),
  amount: column.cents(),
})

export const operationDays = table('operation_days', {
  walletId: column.bigint(),
  day: column.day(),
  facet: column.bigint(),
  operations: column.bigint(),
  /** In cents, without sign. */
  amount: column.cents(),
})
