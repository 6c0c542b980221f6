// Hashed and signed texts, byte for byte: a kept head depends on them.
import { expect, it } from 'vitest'
import { instant } from '../kernel/time.ts'
import { batchText, gatewayHeadText, linkText, walletHeadText } from './rules.ts'

const before = { number: 4n, hash: 'aa', postings: 1n, events: 1n }
const committedUntil = instant(Date.parse('2026-03-01T10:00:00Z'))

it('of a link', () => {
  const rows = { walletId: 7n, postings: 2n, postingsHash: 'p', events: 0n }
  expect(linkText(before, 9n, rows as never)).toBe(
    'comporta link 1\nwallet 7\nnumber 5\nprevious aa\nbatch 9\npostings 2 p\nevents 0 -\n',
  )
  const others = { walletId: 7n, postings: 0n, events: 3n, eventsHash: 'e' }
  expect(linkText(before, 9n, others as never)).toContain('postings 0 -\nevents 3 e\n')
})

it('of a batch, with its links in the order of their wallets', () => {
  const links = [
    { walletId: 11n, number: 1n, hash: 'l' },
    { walletId: 2n, number: 8n, hash: 'k' },
    { walletId: 3n, number: 5n, hash: 'm' },
  ]
  expect(batchText(before, 99n, links as never)).toBe(
    'comporta batch 1\nnumber 5\nprevious aa\nupto 99\nlink 2 8 k\nlink 3 5 m\nlink 11 1 l\n',
  )
})

const batch = { number: 5n, hash: 'bb', postings: 10n, events: 20n, committedUntil, key: 1 }

it('of the head of the gateway', () => {
  const text = 'comporta gateway head 1\nnumber 5\nhash bb\npostings 10\nevents 20\nthrough'
  expect(gatewayHeadText(batch as never)).toBe(`${text} 2026-03-01T10:00:00.000Z\nkey 1\n`)
  expect(gatewayHeadText({ ...batch, committedUntil: undefined } as never)).toBe(`${text} -\nkey 1\n`)
})

it('of the head of a wallet, with that of the gateway', () => {
  const link = { walletId: 7n, number: 3n, hash: 'cc', postings: 1n, events: 2n }
  expect(walletHeadText(link as never, batch as never)).toBe(
    'comporta head 1\nwallet 7\nnumber 3\nhash cc\npostings 1\nevents 2\nthrough 2026-03-01T10:00:00.000Z\ngateway 5 bb\nkey 1\n',
  )
})
