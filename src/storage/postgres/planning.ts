// What every connection is set to: where tables lie, and to plan by index, for plans are kept while a table grows.

/** The settings of a role or a database could put other tables and views in front of ours, and cannot put them in front of this. */
export const tablesSchema = 'public'

/**
 * Statements are planned once and kept. A plan that was made while a table had a few pages would read it whole for
 * every payment, also when it has a million rows, until the server looks at it again; the embedded database never
 * does (decision 0070). With pages in sequence this dear, an index is cheaper however small the table is.
 */
export const planningSettings = { seq_page_cost: '10', random_page_cost: '1' } as const

/** Migrations go through whole tables, and are planned when they run: PostgreSQL's own costs suit them. */
export const migrationPlanningSql = 'set local seq_page_cost = 1; set local random_page_cost = 4;'
