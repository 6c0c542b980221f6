// The tables for searching operations.
import type { Method } from '../../methods/list.ts'
import { column, table } from '../../storage/tables/table.ts'
import type { Channel, OperationStatus, OperationType } from '../model.ts'

/** Operations that were written but not yet counted. @public Tested against the schema. */
export const operationChanges = table('operation_changes', {
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

/** Neighbouring operations, by facet and Lisbon day of creation. @public Tested against the schema. */
export const operationBlocks = table('operation_blocks', {
  walletId: column.bigint(),
  firstId: column.uuid(),
  facet: column.bigint(),
  day: column.day(),
  operations: column.integer(),
  /** Total of the amounts, without sign. */
  amount: column.cents(),
  /** The different amounts, without sign. */
  amounts: column.cents().array(),
})

/** Payments through links. @public Tested against the schema. */
export const operationLinks = table('operation_links', {
  walletId: column.bigint(),
  paymentLinkId: column.uuid(),
  id: column.uuid(),
  facet: column.bigint(),
  amount: column.cents(),
})

export const operationDays = table('operation_days', {
  walletId: column.bigint(),
  day: column.day(),
  facet: column.bigint(),
  operations: column.bigint(),
  /** The amount without sign. */
  amount: column.cents(),
})
