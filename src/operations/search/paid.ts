// Payments counted by a search term, without reading them.

/**
 * Call `catchUp` before. `what` is SQL over `amount`, in cents without sign; `term` is SQL in lower case. A
 * merchant's equal text counts too, so use it for ids.
 */
export function paidUnderSql(what: string, wallet: string, term: string): string {
  return `(
    select ${what} from operation_terms as paid
    where paid.wallet_id = ${wallet} and paid.term = ${term} and paid.facet in (
      select facet from operation_facets
      where operation_facets.wallet_id = ${wallet} and operation_facets.status = 'COMPLETED'
    )
  )`
}
