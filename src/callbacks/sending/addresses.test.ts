// Public addresses, in every notation.
import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress, publicLookup } from './addresses.ts'

describe('public addresses', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '1.1.1.1%eth0',
    '2606:4700::1111%eth0',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '193.136.1.1',
    '223.255.255.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '2001:818::1',
  ])('allows %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('refuses every private IPv4 address, also in every IPv6 form', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const privateIPv4 = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    )
    fc.assert(
      fc.property(privateIPv4, ([a, b, c, d]) => {
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
        const dotted = `${a}.${b}.${c}.${d}`
        const number = ((a * 256 + b) * 256 + c) * 256 + d
        const disguises = [
          dotted,
          `::${hex}`,
          `::ffff:${hex}`,
          `::ffff:${dotted}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
        ]
        for (const disguise of disguises) expect(isPublicAddress(disguise)).toBe(false)
        // URL normalizes these notations before the connection.
        for (const host of [
          String(number),
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `[::ffff:${dotted}]`,
        ]) {
          const { hostname } = new URL(`https://${host}/`)
          expect(isPublicAddress(hostname.replace(/^\[(.*)\]$/, '$1'))).toBe(false)
        }
      }),
    )
  })
})

describe('looking up a name', () => {
  let names: NameServer
  const lookUp = (name: string) =>
    new Promise<string[]>((resolve, reject) => {
      const resolver = new Resolver({ timeout: 1000, tries: 1 })
      resolver.setServers([names.address])
      publicLookup(resolver)(name, { all: true }, (error, found) => {
        if (error !== null) reject(error)
        else resolve((found as LookupAddress[]).map(({ address }) => address))
      })
    })

  beforeAll(async () => {
    names = await startNameServer({
      'open.test': ['93.184.216.34'],
      'empty.test': [],
      'inside.test': ['10.0.0.7'],
      'metadata.test': ['169.254.169.254', '127.0.0.1'],
      'both.test': ['192.168.0.1', '93.184.216.34', '127.0.0.1'],
    })
  })
  afterAll(() => names.close())

  it('returns public addresses', async () => {
    expect(await lookUp('open.test')).toEqual(['93.184.216.34'])
  })

  it('returns only public addresses', async () => {
    expect(await lookUp('both.test')).toEqual(['93.184.216.34'])
  })

  it('gives one answer for internal, empty and unknown names', async () => {
    const answers = ['inside.test', 'metadata.test', 'empty.test', 'missing.test'].map((name) =>
      lookUp(name).catch(({ name: kind, message, code }) => ({ kind, message, code })),
    )
    for (const answer of await Promise.all(answers))
      expect(answer).toEqual({
        kind: 'AddressRefused',
        message: 'callbacks go to public addresses only, and this name has none',
        code: undefined,
      })
  })
})

interface NameServer {
  readonly address: string
  close(): void
}

/** A name server with IPv4 addresses of a few names (RFC 1035, section 4). */
async function startNameServer(known: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] as number; length > 0; length = query[at] as number) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const isIPv4Question = query.readUInt16BE(at + 1) === 1
    const addresses = known[labels.join('.')]
    const answers = isIPv4Question ? (addresses ?? []) : []
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(addresses === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    const records = answers.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() }
}
