// Planner settings of every connection: they prefer indexes.

/** PostgreSQL keeps plans. One made for an empty table would later scan a million rows for each payment. */
export const planningSettings = { seq_page_cost: '10', random_page_cost: '1' } as const

/** Migrations scan whole tables, so PostgreSQL's own costs are right for them. */
export const migrationPlanningSql = 'set local seq_page_cost = 1; set local random_page_cost = 4;'
