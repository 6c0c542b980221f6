// The crash points of each crash test. Together they are all points.
import type { CrashPoint } from '../../src/kernel/crash-points.ts'

export type Kill = readonly [point: CrashPoint, count: number]

export const kills = {
  // These come first, because callbacks of a dead process wait for the end of its lease.
  payments: [
    ['callback claimed, not sent', 2],
    ['callback delivered, not marked', 2],
    ['transaction written, not committed', 15],
    ['customer authenticated, approval not begun', 4],
    ['attempt opened, rail not asked', 4],
    ['rail answered, nothing written', 4],
    ['settled, answer not sent', 3],
    ['settled, its attempt still open', 2],
  ],
  cardApi: [
    ['transaction written, not committed', 4],
    ['rail answered, nothing written', 5],
    ['settled, answer not sent', 5],
  ],
  holds: [
    ['attempt opened, rail not asked', 3],
    ['rail answered, nothing written', 3],
    ['settled, answer not sent', 3],
  ],
  lapses: [['rest of a hold given back, authorization not closed', 1]],
  refunds: [
    ['attempt opened, rail not asked', 4],
    ['rail answered, nothing written', 4],
    ['settled, answer not sent', 4],
  ],
  referenceRefunds: [
    ['transaction written, not committed', 1],
    ['attempt opened, rail not asked', 1],
    ['made, answer not kept', 1],
  ],
  refundPages: [
    ['transaction written, not committed', 1],
    ['account of a refund named, bank not asked', 1],
  ],
  cancelledRefunds: [
    ['transaction written, not committed', 1],
    ['refund without an account cancelled, not failed', 1],
  ],
  charges: [
    ['charge accepted, answer not sent', 5],
    ['transaction written, not committed', 3],
    ['attempt opened, rail not asked', 3],
    ['rail answered, nothing written', 3],
    ['settled, answer not sent', 3],
  ],
  autoCharges: [
    ['cycle due, not charged', 3],
    ['transaction written, not committed', 2],
    ['charge accepted, answer not sent', 3],
    ['attempt opened, rail not asked', 3],
    ['rail answered, nothing written', 3],
    ['settled, answer not sent', 3],
  ],
  paymentsWithSubscriptions: [
    ['transaction written, not committed', 5],
    ['attempt opened, rail not asked', 2],
    ['rail answered, nothing written', 2],
    ['settled, its attempt still open', 1],
    ['card kept, its payment not settled', 1],
  ],
  savingCards: [
    ['transaction written, not committed', 3],
    ['attempt begun, issuer not asked', 2],
    ['customer authenticated, approval not begun', 2],
    ['attempt opened, rail not asked', 2],
    ['rail answered, nothing written', 2],
    ['card kept, its payment not settled', 2],
    ['settled, its attempt still open', 2],
  ],
  payingWithSavedCards: [
    ['transaction written, not committed', 3],
    ['attempt begun, issuer not asked', 2],
    ['customer authenticated, approval not begun', 2],
    ['attempt opened, rail not asked', 2],
    ['rail answered, nothing written', 2],
    ['settled, its attempt still open', 2],
  ],
  phones: [
    ['transaction written, not committed', 6],
    ['attempt opened, rail not asked', 3],
    ['mandate moved, callback not sent', 2],
    ['settled, answer not sent', 2],
  ],
  phonesThatSubscribe: [
    ['transaction written, not committed', 3],
    ['attempt opened, rail not asked', 2],
    ['rail answered, nothing written', 7],
    ['mandate approved, its payment not settled', 2],
    ['settled, its attempt still open', 2],
  ],
  otherMethods: [
    ['transaction written, not committed', 4],
    ['attempt opened, rail not asked', 1],
    ['attempt opened, rail not asked', 2],
    ['rail answered, nothing written', 2],
    ['settled, answer not sent', 3],
    ['top-up taken, not settled', 2],
  ],
  payoutSchedules: [
    ['transaction written, not committed', 1],
    ['attempt opened, rail not asked', 1],
    ['rail answered, nothing written', 1],
    ['payout of a schedule begun, not ordered', 1],
    ['payout ordered, schedule not moved on', 1],
  ],
  references: [
    ['callback claimed, not sent', 3],
    ['callback delivered, not marked', 1],
    ['settled, answer not sent', 5],
    ['reference payment taken, not settled', 3],
  ],
  endsOfReferences: [['payments in time counted, reference not ended', 1]],
  suspense: [
    ['transaction written, not committed', 1],
    ['suspense assigned, its payment not settled', 1],
    ['settled, answer not sent', 1],
  ],
  bankFiles: [
    ['bank file gathered, not written', 1],
    ['bank file drafted, not named', 1],
    ['bank file named, not marked', 1],
  ],
  bankImports: [
    ['bank entries written, nothing follows', 1],
    ['answer of the bank followed, not marked', 1],
  ],
  bankSettlements: [
    ['transaction written, not committed', 1],
    ['transaction written, not committed', 2],
    ['order answered by hand, nothing follows', 1],
    ['settled, answer not sent', 1],
    ['answer of the bank followed, not marked', 1],
  ],
  bankReturns: [['return opened, not settled', 1]],
  withdrawals: [
    ['transaction written, not committed', 1],
    ['return opened, not settled', 1],
    ['settled, answer not sent', 1],
  ],
  reinstatements: [
    ['dispute withdrawn, not reinstated', 1],
    ['return opened, not settled', 1],
  ],
  rotations: [
    ['master key added, nothing under it', 1],
    ['secrets re-encrypted in part', 2],
  ],
  backups: [['backup drafted, not named', 1]],
  restores: [
    ['backup unpacked, not in its place', 1],
    ['old database aside, restored one not in its place', 1],
  ],
  chaining: [['batch hashed, not chained', 1]],
  mail: [
    ['mail claimed, not sent', 3],
    ['mail sent, not marked', 3],
  ],
  callbackEndpoints: [
    ['settled, answer not sent', 3],
    ['callback claimed, not sent', 7],
    ['callback delivered, not marked', 7],
  ],
  bankInbox: [
    ['bank entries written, nothing follows', 1],
    ['bank file imported, not moved', 1],
  ],
} as const satisfies Record<string, readonly Kill[]>
