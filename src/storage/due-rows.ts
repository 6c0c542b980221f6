// The SQL of leased work: one way to claim what is due, for every table that has `due_at`.

/**
 * Claims rows of `table` that are due, the longest due first, and none that another process is claiming: they are due
 * again when the lease runs out. A `returning` follows. Parameters: now, end of the lease, how many at the most.
 *
 * @param also what else is set, such as `inquiries = inquiries + 1`
 */
export function claimDueSql(table: string, also?: string): string {
  return `
    update ${table} set due_at = $2${also === undefined ? '' : `, ${also}`}
    where (wallet_id, id) in (
      select wallet_id, id from ${table} where due_at <= $1 order by due_at limit $3 for update skip locked
    )`
}
