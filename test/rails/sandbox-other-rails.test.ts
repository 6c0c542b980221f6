// The sandbox's online wallet and bank, on both databases.

import { createCreditTransfer, createDirectDebit } from '../../sandbox/bank/rails.ts'
import { testPayers, usualPayer } from '../../sandbox/online-wallet/model.ts'
import { createOnlineWallet } from '../../sandbox/online-wallet/rail.ts'
import { moveOrder } from '../../sandbox/online-wallet/store.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { after, day, instant, systemClock } from '../../src/kernel/time.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { describeBank } from './bank-conformance.ts'
import { describeOnlineWallet } from './online-wallet-conformance.ts'

const payers = {
  agree: usualPayer,
  'agree without money': testPayers.empty,
  'agree, silently': testPayers.silent,
  'agree, reviewed': testPayers.reviewed,
} as const

for (const kind of databaseKinds) {
  describeOnlineWallet(`the sandbox on ${kind}`, async () => {
    const database = await openTestDatabase(kind)
    let passedMs = 0
    const clock = { now: () => after(systemClock.now(), passedMs) }
    const deps = { database, clock, random: systemRandomness, baseUrl: 'http://127.0.0.1:8080' }
    return {
      wallet: createOnlineWallet(deps),
      async endReview() {
        passedMs += day
      },
      async decide(key, decision) {
        if (decision === 'cancel')
          await moveOrder(database, key, { from: 'open', to: 'declined', decline: 'cancelled' })
        else await moveOrder(database, key, { from: 'open', to: 'agreed', payer: payers[decision] })
      },
      restarted: () => createOnlineWallet(deps),
      close: () => database.close(),
    }
  })

  describeBank(`the sandbox on ${kind}`, async () => {
    const database = await openTestDatabase(kind)
    const saturday = instant(Date.parse('2026-11-21T12:00:00Z'))
    let now = saturday
    const deps = { database, clock: { now: () => now }, random: systemRandomness }
    return {
      directDebit: createDirectDebit(deps),
      creditTransfer: createCreditTransfer(deps),
      ibans: {
        paid: 'PT50000201231234567890154',
        returned: 'PT50000201230000000001087',
        silent: 'PT50000201230000000003027',
      },
      dueOn: '2026-11-23',
      async untilDue() {
        now = after(now, 5 * day)
      },
      close: () => database.close(),
    }
  })
}
