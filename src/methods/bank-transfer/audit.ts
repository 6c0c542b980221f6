// Audit of incoming transfers: each is booked for its wallet.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

export const bankTransferChecks: readonly AuditCheck[] = [
  auditCheck(
    'transfers_topped_up_their_wallet',
    'incoming_transfers',
    `select incoming_transfers.id::text as subject,
       'put to wallet ' || incoming_transfers.wallet_id || ' with ' || incoming_transfers.amount
         || ' cents, its operation is ' || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from incoming_transfers
     left join operations on operations.wallet_id = incoming_transfers.wallet_id
       and operations.id = incoming_transfers.operation_id
     where incoming_transfers.wallet_id is not null
       and (
         (operations.type, operations.method, operations.amount)
           is distinct from ('PAYMENT', 'BANK', incoming_transfers.amount)
         or operations.status not in ('PENDING', 'COMPLETED')
       )`,
  ),
  auditCheck(
    'payments_by_transfer_have_their_transfer',
    'operations',
    `select operations.id::text as subject, 'of ' || operations.amount || ' cents, and no transfer arrived' as detail
     from operations
     join wallets on wallets.id = operations.wallet_id
     where operations.type = 'PAYMENT' and operations.method = 'BANK'
       and not (
         wallets.kind = 'consumer' and operations.attempt_id is null and to_regnamespace('sandbox') is not null
       )
       and not exists (
         select from incoming_transfers
         where incoming_transfers.wallet_id = operations.wallet_id
           and incoming_transfers.operation_id = operations.id
       )`,
  ),
  auditCheck(
    'transfers_of_the_bank_have_arrived',
    'bank_entries',
    `select bank_entries.id::text as subject,
       'was imported with ' || bank_entries.amount || ' ' || bank_entries.currency || ' of '
         || coalesce(bank_entries.party_iban, 'nobody') || ', arrived '
         || coalesce(incoming_transfers.amount || ' ' || incoming_transfers.currency || ' of '
           || coalesce(incoming_transfers.iban, 'nobody'), 'nothing') as detail
     from bank_entries
     left join incoming_transfers on incoming_transfers.id = bank_entries.id
     where bank_entries.state = 'TRANSFER' and bank_entries.due_at is null
       and (incoming_transfers.amount, incoming_transfers.currency, incoming_transfers.iban)
         is distinct from (bank_entries.amount, bank_entries.currency, bank_entries.party_iban)`,
  ),
]
