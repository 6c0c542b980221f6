// What was paid under a text that payments are searched by: counted in an index, without reading the payments.

/**
 * SQL of what was completed under `term` and taken over for search: call `catchUp` before. A text of the merchant's own that
 * is the same counts too, so it is for ids.
 *
 * @param what SQL over `amount`, in cents without sign, such as a sum
 * @param wallet SQL of the wallet; it is repeated
 * @param term SQL of the text, in lower case
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
