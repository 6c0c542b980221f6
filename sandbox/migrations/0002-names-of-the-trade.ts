// Tables and columns of the sandbox under the names that the trade has for what they hold.

export const sql = `
alter table sandbox.authorisations rename to authorizations;
alter index sandbox.authorisations_pkey rename to authorizations_pkey;
alter index sandbox.authorisations_reversed rename to authorizations_reversed;
alter table sandbox.authorizations rename constraint authorisations_hold to authorizations_hold;
alter function sandbox.authorisation_holds rename to authorization_holds;

alter table sandbox.phone_movements rename to phone_follow_ups;
alter index sandbox.phone_movements_pkey rename to phone_follow_ups_pkey;
alter index sandbox.phone_movements_by_payment rename to phone_follow_ups_by_payment;
alter index sandbox.phone_movements_reversed rename to phone_follow_ups_reversed;

alter table sandbox.given_back rename to refunds;
alter index sandbox.given_back_pkey rename to refunds_pkey;
alter table sandbox.wallet_orders rename column given_back to refunded;
alter table sandbox.debits rename column given_back to refunded;
`
