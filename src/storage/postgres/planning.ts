// How every connection plans: by index, also while a table is small, for plans are kept while it grows.

/**
 * Statements are planned once and kept. A plan that was made while a table had a few pages would read it whole for
 * every payment, also when it has a million rows, until the server looks at it again; the embedded database never
 * does. With pages in sequence this dear, an index is cheaper however small the table is.
 */
export const planningSettings = { seq_page_cost: '10', random_page_cost: '1' } as const

/** Migrations go through whole tables, and are planned when they run: PostgreSQL's own costs suit them. */
export const migrationPlanningSql = 'set local seq_page_cost = 1; set local random_page_cost = 4;'
