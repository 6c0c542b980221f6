// Host headers that name this gateway.
import { expect, it } from 'vitest'
import { ownHosts } from './other-sites.ts'

it.each([
  // base URL, listening address, Host header, expected
  ['http://127.0.0.1:8080', '127.0.0.1', '127.0.0.1:8080', true],
  ['http://127.0.0.1:8080', '127.0.0.1', 'localhost:8080', true],
  ['http://127.0.0.1:8080', '127.0.0.1', 'LOCALHOST', true],
  ['http://127.0.0.1:8080', '127.0.0.1', '[::1]:8080', true],
  ['http://127.0.0.1:8080', '127.0.0.1', '127.0.0.2', true],
  ['http://127.0.0.1:8080', '127.0.0.1', 'evil.example:8080', false],
  ['http://127.0.0.1:8080', '127.0.0.1', 'localhost.evil.example', false],
  ['http://127.0.0.1:8080', '127.0.0.1', '127.0.0.1.evil.example', false],
  ['http://127.0.0.1:8080', '127.0.0.1', 'evil.example@localhost', true],
  ['http://127.0.0.1:8080', '127.0.0.1', 'localhost@evil.example', false],
  ['http://127.0.0.1:8080', '127.0.0.1', '192.168.1.5:8080', false],
  ['http://127.0.0.1:8080', '127.0.0.1', 'not a host', false],
  ['http://127.0.0.1:8080', '127.0.0.1', '', false],
  ['https://pay.example', '127.0.0.1', 'pay.example', true],
  ['https://pay.example', '127.0.0.1', 'pay.example:443', true],
  ['https://pay.example', '127.0.0.1', 'other.example', false],
  ['https://pay.example', 'gateway.internal', 'gateway.internal:8080', true],
  ['http://[::1]:8080', '::1', '[::1]:8080', true],
  ['http://0.0.0.0:8080', '0.0.0.0', '192.168.1.5:8080', true],
  ['http://0.0.0.0:8080', '0.0.0.0', 'evil.example:8080', false],
  ['http://[::]:8080', '::', '[fe80::1]:8080', true],
])('%s, listening on %s: Host %j is ours: %j', (baseUrl, host, header, expected) => {
  expect(ownHosts(baseUrl, host)(header)).toBe(expected)
})
