// Migration: the post box knows which mail opens an account.

export const sql = `
-- Such mail is shown only on the machine of the sandbox. Older mail may be such mail.
alter table sandbox.mails add column opens_account boolean not null default true;
alter table sandbox.mails alter column opens_account drop default;
`
