// Planner settings of every connection: prefer indexes.

/** PostgreSQL keeps query plans. A plan made for a nearly empty table would later scan a million rows for each payment. */
export const planningSettings = { seq_page_cost: '10', random_page_cost: '1' } as const

/** Migrations scan whole tables: PostgreSQL's own costs suit them. */
export const migrationPlanningSql = 'set local seq_page_cost = 1; set local random_page_cost = 4;'
