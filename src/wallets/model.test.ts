// The available methods of a wallet.
import { expect, it } from 'vitest'
import { type Wallet, withAvailableMethods } from './model.ts'

it('offers no methods of a suspended wallet, and still lists those without a rail', () => {
  const wallet = { methods: ['CC', 'MB'], subscriptionMethods: ['CC'], methodsOff: [] } as unknown as Wallet
  const served = { methods: new Set(['CC'] as const), cardsAtAcquirer: true }
  const offered = withAvailableMethods({ ...wallet, suspendedAt: 1 } as never, served)
  expect(offered).toMatchObject({ methods: [], subscriptionMethods: [], cardsAtAcquirer: true })
  expect(offered.unserved).toEqual(withAvailableMethods(wallet, served).unserved)
  expect(offered.unserved).toContain('MB')
  expect(withAvailableMethods({ ...wallet, suspendedAt: 1 } as never, undefined).methods).toEqual([])
})

it('offers no subscriptions by a method whose provider cannot charge again', () => {
  const methods = ['CC', 'MBWAY'] as const
  const wallet = { methods, subscriptionMethods: methods, methodsOff: [] } as unknown as Wallet
  const lacking = new Set(['MBWAY'] as const)
  const served = { methods: new Set(methods), cardsAtAcquirer: false }
  const offered = withAvailableMethods(wallet, { ...served, notCharged: lacking, notHeld: lacking })
  expect(offered).toMatchObject({ methods, subscriptionMethods: ['CC'], notHeld: lacking })
  expect(withAvailableMethods(wallet, served)).toMatchObject({ subscriptionMethods: methods })
})
