// Audit: the shares and the owner's rest add up to the net amount.

import { bookedSql } from '../../ledger/index.ts'
import { type AuditCheck, auditCheck } from '../../storage/index.ts'
import { refundingKindSql } from '../settle/audit.ts'

const bookedTo = (operation: string, walletId: string, operationId: string) => `
  select coalesce(sum(posted.amount), 0)::bigint
  from (${bookedSql(`${operation}.wallet_id`, `${operation}.${operationId}`)}) as posted
  where posted.wallet_id = ${walletId} and posted.kind = 'merchant'`

const taken = `
  select coalesce(sum(take.amount), 0)::bigint
  from operations as refund
  cross join jsonb_to_recordset(refund.share_refunds) as take(position integer, amount bigint)
  where refund.wallet_id = shares.wallet_id and refund.parent_id = shares.operation_id
    and refund.type = 'REFUND' and refund.status in ('NEW', 'PENDING', 'COMPLETED')
    and take.position = shares.position`

const given = (status: string) => `
  select coalesce(sum(take.amount), 0)::bigint
  from operations as refund
  join operations as back on back.wallet_id = refund.wallet_id and back.parent_id = refund.id
    and back.type = 'REFUND' and back.status ${status}
  cross join jsonb_to_recordset(back.share_refunds) as take(position integer, amount bigint)
  where refund.wallet_id = shares.wallet_id and refund.parent_id = shares.operation_id and refund.type = 'REFUND'
    and take.position = shares.position`

export const shareChecks: readonly AuditCheck[] = [
  auditCheck(
    'asked_splits_were_made',
    'operations',
    `select operations.id::text as subject,
       'COMPLETED ' || case when split_at is null then 'undivided, with a split' else 'divided, without shares' end as detail
     from operations
     where status = 'COMPLETED' and (
       (split is not null and split_at is null and type <> 'AUTH')
       or (split_at is null) = exists (
         select 1 from shares where shares.wallet_id = operations.wallet_id and shares.operation_id = operations.id
       )
     )`,
  ),
  auditCheck(
    'captures_are_divided_as_agreed',
    'operations',
    `select capture.id::text as subject, 'has another split than its authorization' as detail
     from operations as capture
     join operations as held on held.wallet_id = capture.wallet_id and held.id = capture.parent_id
     where capture.type = 'CAPTURE' and capture.split is distinct from held.split`,
  ),
  auditCheck(
    'captures_give_no_share_too_much',
    'operations',
    `select held.id || '/' || agreed.place - 1 as subject,
       'its captures brought ' || brought.net || ' cents, of which it got ' || brought.given as detail
     from operations as held
     cross join jsonb_array_elements(held.split) with ordinality as agreed(share, place)
     cross join lateral (
       select
         (10000 - (agreed.share ->> 'fee_variable_bp')::numeric) / 10000
           * split_part(agreed.share ->> 'fraction', '/', 1)::numeric as numerator,
         coalesce(nullif(split_part(agreed.share ->> 'fraction', '/', 2), ''), '1')::numeric as denominator
     ) as part
     cross join lateral (
       select coalesce(sum(capture.amount + capture.fee), 0) as net, coalesce(sum(shares.amount), 0) as given
       from operations as capture
       left join shares on shares.wallet_id = capture.wallet_id and shares.operation_id = capture.id
         and shares.position = agreed.place - 1
       where capture.wallet_id = held.wallet_id and capture.parent_id = held.id and capture.type = 'CAPTURE'
         and capture.status = 'COMPLETED'
     ) as brought
     where held.type = 'AUTH'
       -- Rounding moves at most a cent, over any number of captures.
       and (brought.given - 1) * part.denominator > part.numerator * brought.net`,
  ),
  auditCheck(
    'shares_match_the_books',
    'shares',
    `select shares.operation_id || '/' || shares.position as subject,
       'shows ' || shares.amount || ' cents, booked ' || booked.amount as detail
     from shares
     cross join lateral (${bookedTo('shares', 'shares.merchant_wallet_id', 'operation_id')}) as booked(amount)
     where shares.amount <> booked.amount`,
  ),
  auditCheck(
    'owners_got_the_rest',
    'operations',
    `select operations.id::text as subject,
       'booked ' || booked.amount || ' cents to the owner, of ' || operations.amount + operations.fee
         || ' with shares of ' || divided.amount as detail
     from operations
     cross join lateral (${bookedTo('operations', 'operations.wallet_id', 'id')}) as booked(amount)
     cross join lateral (
       select coalesce(sum(shares.amount), 0)::bigint as amount
       from shares where shares.wallet_id = operations.wallet_id and shares.operation_id = operations.id
     ) as divided
     where operations.split_at is not null
       and booked.amount + divided.amount <> operations.amount + operations.fee`,
  ),
  auditCheck(
    'shares_are_seen',
    'shares',
    `select shares.operation_id || '/' || shares.position as subject,
       'of ' || shares.amount || ' cents, seen as ' || coalesce(transfer.amount::text, 'nothing') as detail
     from shares
     left join operations as transfer on transfer.wallet_id = shares.merchant_wallet_id
       and transfer.id = shares.transfer_id and transfer.parent_id = shares.operation_id
       and transfer.type = 'USERTRANSFER' and transfer.status = 'COMPLETED'
     where shares.amount is distinct from coalesce(transfer.amount, 0)`,
  ),
  auditCheck(
    'transfers_of_splits_are_of_a_share',
    'operations',
    `select transfer.id::text as subject,
       'shows wallet ' || transfer.wallet_id || ' ' || transfer.amount || ' cents of no share' as detail
     from operations as transfer
     where transfer.type = 'USERTRANSFER'
       and not exists (
         select from shares
         where shares.merchant_wallet_id = transfer.wallet_id and shares.transfer_id = transfer.id
       )
       and not exists (
         select from shares
         where shares.merchant_wallet_id = transfer.wallet_id and shares.transfer_id = transfer.parent_id
       )`,
  ),
  auditCheck(
    'takes_are_of_a_share',
    'operations',
    `select refund.id::text as subject,
       'says ' || take.amount || ' cents of share ' || take.position || ' of wallet ' || take.wallet
         || ', which its payment has not' as detail
     from operations as refund
     cross join jsonb_to_recordset(refund.share_refunds)
       as take(position integer, wallet bigint, transfer text, amount bigint)
     left join operations as sent on refund.amount > 0 and sent.wallet_id = refund.wallet_id
       and sent.id = refund.parent_id and sent.type = 'REFUND'
     left join shares on shares.wallet_id = refund.wallet_id
       and shares.operation_id = case when refund.amount > 0 then sent.parent_id else refund.parent_id end
       and shares.position = take.position and shares.merchant_wallet_id = take.wallet
       and shares.transfer_id::text = coalesce(take.transfer, shares.transfer_id::text)
     where shares.operation_id is null`,
  ),
  auditCheck(
    'takes_are_seen',
    'shares',
    `select shares.operation_id || '/' || shares.position as subject,
       'gave back ' || gave.amount || ' cents, seen as ' || seen.amount as detail
     from shares
     cross join lateral (${taken} and refund.status = 'COMPLETED') as took(amount)
     cross join lateral (${given(`= 'COMPLETED'`)}) as got(amount)
     cross join lateral (select took.amount - got.amount) as gave(amount)
     cross join lateral (
       select coalesce(-sum(transfer.amount), 0)::bigint as amount
       from operations as transfer
       where transfer.wallet_id = shares.merchant_wallet_id and transfer.parent_id = shares.transfer_id
         and transfer.type = 'USERTRANSFER'
     ) as seen
     where gave.amount <> seen.amount`,
  ),
  auditCheck(
    'refunds_within_shares',
    'shares',
    `select shares.operation_id || '/' || shares.position as subject,
       'counts ' || shares.refunded || ' of ' || shares.amount || ' cents refunded, its refunds take ' || gives.amount
         || ', of which ' || back.amount || ' came back' as detail
     from shares
     join operations as payment on payment.wallet_id = shares.wallet_id and payment.id = shares.operation_id
     cross join lateral (${taken}) as gives(amount)
     cross join lateral (${given(`in ('NEW', 'PENDING', 'COMPLETED')`)}) as back(amount)
     where shares.refunded > shares.amount
       or shares.refunded <> gives.amount - back.amount`,
  ),
  auditCheck(
    'refunds_match_the_books',
    'operations',
    `select refund.id::text as subject,
       'gave back ' || -refund.amount || ' cents, booked ' || booked.clearing || ' to its rail and ' || booked.owner
         || ' to the owner, and from shares ' || gave.amount as detail
     from operations as refund
     cross join lateral (
       select coalesce(sum((take ->> 'amount')::bigint), 0)::bigint * -sign(refund.amount)::bigint as amount
       from jsonb_array_elements(refund.share_refunds) as take
     ) as gave
     cross join lateral (
       select
         coalesce(sum(posted.amount) filter (where posted.wallet_id = refund.wallet_id), 0)::bigint as owner,
         coalesce(sum(posted.amount) filter (
           where posted.kind = ${refundingKindSql('refund')}
         ), 0)::bigint as clearing
       from (${bookedSql('refund.wallet_id', 'refund.id')}) as posted
     ) as booked
     where refund.type = 'REFUND' and refund.status = 'COMPLETED'
       and (booked.clearing, booked.owner) is distinct from (-refund.amount, refund.amount + gave.amount)`,
  ),
]
