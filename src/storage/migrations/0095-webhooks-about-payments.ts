// What providers send is found by the payment that it was about, for the payment's story.

export const sql = `
-- Our key of the request that it was about, as far as it was handled; the first, where there are several.
alter table rail_webhooks add column about uuid;
`
