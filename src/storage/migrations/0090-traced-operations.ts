// Where operators trace, an operation and an event say in which span they were written: later work joins the trace.

export const sql = `
alter table operations add column traceparent text;
alter table events add column traceparent text;
`
