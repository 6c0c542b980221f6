// What operators do is in no team's log of who did what: the index of what people did about their own accounts leaves it out.

export const sql = `
drop index backoffice.actions_own;
create index actions_own on backoffice.actions (user_id, id)
where wallet_id is null and not starts_with(target, '/backoffice/api/operator/');
`
