// Reversal of a debit whose payment ended otherwise.
import { expect, it } from 'vitest'
import type { CollectionAnswer } from '../../rails/index.ts'
import { debitRail } from './refunds.ts'

it.each<[CollectionAnswer | { kind: 'not_found' }, object]>([
  [{ kind: 'returned', reason: 'refused_by_debtor' }, { kind: 'approved' }],
  [{ kind: 'paid' }, { kind: 'declined', reason: 'a_collected_debit_is_given_back_by_hand' }],
  [{ kind: 'waiting' }, { kind: 'unknown' }],
  [{ kind: 'unknown', why: 'timeout' }, { kind: 'unknown' }],
  [{ kind: 'not_found' }, { kind: 'unknown' }],
])('after the bank’s answer %j, a reversal is %j', async (said, answer) => {
  const asked: string[] = []
  const inquire = async (key: string) => {
    asked.push(key)
    return said
  }
  const { reverse } = debitRail({ rail: { inquire } } as unknown as Parameters<typeof debitRail>[0])
  const request = { walletId: 1n, operationId: 'O', key: 'K', type: 'PAYMENT', method: 'SEPA' } as const
  expect(await reverse?.('R', request)).toEqual(answer)
  expect(asked).toEqual(['K'])
})
