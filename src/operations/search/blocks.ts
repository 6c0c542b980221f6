// Blocks of operations: the search index summarises neighbouring operations of one wallet.

export const blockSize = 32
/** A larger block is cut. To read this many rows costs less than an index entry for each operation. */
export const blockMax = 48

const lowestId = '00000000-0000-0000-0000-000000000000'
/** No operation has this id. */
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** SQL of the first id of the block of `row`, which has `wallet_id` and `id`. */
export function blockOfSql(row: string): string {
  return `coalesce((
    select first_id from operation_blocks
    where operation_blocks.wallet_id = ${row}.wallet_id and operation_blocks.first_id <= ${row}.id
    order by first_id desc limit 1
  ), '${lowestId}')`
}

/** SQL of the id before which the block of `row` ends, which has `wallet_id` and `first_id`. */
export function blockEndSql(row: string): string {
  return `coalesce((
    select first_id from operation_blocks
    where operation_blocks.wallet_id = ${row}.wallet_id and operation_blocks.first_id > ${row}.first_id
    order by first_id limit 1
  ), '${highestId}')`
}

/** SQL of the first id of the newest block of `row`, which has `wallet_id`. */
export function newestBlockSql(row: string): string {
  return `coalesce((
    select first_id from operation_blocks
    where operation_blocks.wallet_id = ${row}.wallet_id order by first_id desc limit 1
  ), '${lowestId}')`
}
