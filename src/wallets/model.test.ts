// What a wallet offers, as its merchant and their customers find it.
import { expect, it } from 'vitest'
import { type Wallet, withAvailableMethods } from './model.ts'

it('a suspended wallet offers nothing, and still has what its rails lack', () => {
  const wallet = { methods: ['CC', 'MB'], subscriptionMethods: ['CC'], methodsOff: [] } as unknown as Wallet
  const served = { methods: new Set(['CC'] as const), cardsAtAcquirer: true }
  const offered = withAvailableMethods({ ...wallet, suspendedAt: 1 } as never, served)
  expect(offered).toMatchObject({ methods: [], subscriptionMethods: [], cardsAtAcquirer: true })
  expect(offered.unserved).toEqual(withAvailableMethods(wallet, served).unserved)
  expect(offered.unserved).toContain('MB')
  expect(withAvailableMethods({ ...wallet, suspendedAt: 1 } as never, undefined).methods).toEqual([])
})
