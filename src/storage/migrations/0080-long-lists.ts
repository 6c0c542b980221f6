// The index of a list that people page through; those of tables that grow faster are in `online-indexes.ts`.

export const sql = `
create index suspense_entries_by_time on suspense_entries (created_at);
`
