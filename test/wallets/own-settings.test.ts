// Settings that a merchant's own team may change.
import { describe, expect, it } from 'vitest'
import { unwrap } from '../../src/kernel/result.ts'
import type { OwnChanges } from '../../src/wallets/own-settings.ts'
import { openWalletsWorld } from './world.ts'

const shop = { name: 'Loja', email: 'loja@exemplo.pt' }
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.each(['pglite', 'postgres'] as const)('own settings, on %s', (kind) => {
  it('are changed by the rules of all settings', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const changes = {
      name: ' Loja do Cais ',
      iban: null,
      brandColour: '#0B5563',
      supportUrl: 'https://loja.pt/ajuda',
    }
    const changed = unwrap(await wallets.changeOwnSettings(wallet.id, changes))
    expect(changed).toMatchObject({
      name: 'Loja do Cais',
      brandColour: '#0b5563',
      supportUrl: 'https://loja.pt/ajuda',
    })
    expect(await wallets.get(wallet.id)).toMatchObject({ name: 'Loja do Cais' })
    expect(await wallets.changeOwnSettings(wallet.id, { brandColour: '#ffcc00' })).toMatchObject({
      refusal: { kind: 'invalid_parameter', reason: expect.stringContaining('nearest') },
    })
  })

  it.each(['rights', 'fees', 'methodsOff', 'subscriptionMethods'])('are not %s', async (field) => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const answer = await wallets.changeOwnSettings(wallet.id, { [field]: [] } as OwnChanges)
    expect(answer).toMatchObject({ refusal: { kind: 'access_denied' } })
  })

  it('offer some of the methods that the operator allows', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant({ ...shop, methods: ['CC', 'MB', 'MBWAY'] }))
    unwrap(await wallets.changeOwnSettings(wallet.id, { methods: ['CC'] }))
    expect(await wallets.get(wallet.id)).toMatchObject({ methods: ['CC'], subscriptionMethods: ['CC'] })
    expect(await wallets.find(wallet.id)).toMatchObject({ methods: ['CC', 'MB', 'MBWAY'] })
    unwrap(await wallets.changeMerchant(wallet.id, { methods: ['CC', 'MB', 'SEPA'] }))
    expect((await wallets.get(wallet.id)).methods).toEqual(['CC', 'SEPA'])
    expect(await wallets.changeOwnSettings(wallet.id, { methods: ['MBWAY'] })).toMatchObject({
      refusal: { kind: 'invalid_parameter', reason: expect.stringContaining('CC, MB, SEPA') },
    })
  })

  it('add and rename stores, none of another merchant', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { wallet: other } = unwrap(await wallets.createMerchant(shop))
    const [first] = await wallets.listStores(wallet.id)
    const renameStores = [{ id: first?.id ?? 0, name: 'Rua Augusta' }]
    unwrap(await wallets.changeOwnSettings(wallet.id, {}, { addStores: ['Porto'], renameStores }))
    expect((await wallets.listStores(wallet.id)).map(({ name }) => name)).toEqual(['Rua Augusta', 'Porto'])
    expect(await wallets.changeOwnSettings(other.id, {}, { renameStores })).toMatchObject({
      refusal: { kind: 'not_found' },
    })
    expect((await wallets.listStores(wallet.id))[0]).toMatchObject({ name: 'Rua Augusta' })
  })

  it('keep one logo, whole or not at all', async () => {
    const { wallets, database } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { logo } = unwrap(await wallets.changeOwnSettings(wallet.id, {}, { logo: dot }))
    expect(logo).toMatch(/^[0-9a-f]{32}\.png$/)
    const svg = new TextEncoder().encode('<svg/>')
    expect(await wallets.changeOwnSettings(wallet.id, { name: 'X' }, { logo: svg })).toMatchObject({
      ok: false,
    })
    expect(await wallets.get(wallet.id)).toMatchObject({ name: 'Loja', logo })
    expect(unwrap(await wallets.changeOwnSettings(wallet.id, {}, { logo: null })).logo).toBeNull()
    expect(await database.run({ text: 'select * from wallet_logos' })).toEqual([])
  })
})
