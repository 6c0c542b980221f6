// The tables of the phone network: what its customers were asked, the mandates they gave, and money that followed.
import type { Day } from '../../src/kernel/lisbon.ts'
import { column, table } from '../../src/storage/tables/table.ts'
import type { ChangeKind, MandateKind, PhoneMandateState, PhoneRequest, RequestState } from './model.ts'

export const phoneRequests = table(
  'sandbox.phone_requests',
  {
    key: column.uuid(),
    phone: column.text(),
    kind: column.text<PhoneRequest['kind']>(),
    merchantId: column.bigint(),
    merchantName: column.text(),
    mandateType: column.text<MandateKind>().optional(),
    amount: column.cents().optional(),
    currency: column.text().optional(),
    state: column.text<RequestState>(),
    /** The mandate that stood for the PIN. */
    byMandate: column.uuid().optional(),
    reference: column.text().optional(),
    createdAt: column.instant(),
    expiresAt: column.instant(),
    /** The mandate that the same answer makes. */
    opens: column.uuid().optional(),
    wanted: column.embedded({ limit: column.cents(), from: column.text<Day>() }).optional(),
  },
  {
    decidedAt: column.instant().optional(),
    reversedBy: column.uuid().optional(),
  },
)

export const phoneMandates = table(
  'sandbox.phone_mandates',
  {
    key: column.uuid(),
    phone: column.text(),
    merchantName: column.text(),
    type: column.text<MandateKind>(),
    state: column.text<PhoneMandateState>(),
    limit: column.cents().named('amount_limit').optional(),
    expiryDate: column.text<Day>().optional(),
  },
  {
    merchantId: column.bigint(),
    version: column.integer(),
    createdAt: column.instant(),
  },
)

export const phoneChanges = table('sandbox.phone_changes', {
  key: column.uuid(),
  version: column.integer(),
  kind: column.text<ChangeKind>(),
  limit: column.cents().named('amount_limit').optional(),
  expiryDate: column.text<Day>().optional(),
  changedAt: column.instant(),
})

export const phoneLocks = table('sandbox.phone_locks', {
  phone: column.text(),
  wrongPins: column.integer(),
})

export const phoneFollowUps = table('sandbox.phone_follow_ups', {
  key: column.uuid(),
  payment: column.uuid().optional(),
  kind: column.text<'capture' | 'release' | 'refund'>().optional(),
  amount: column.cents().optional(),
  reference: column.text().optional(),
  decline: column.text().optional(),
  movedAt: column.instant(),
  reversedBy: column.uuid().optional(),
})
