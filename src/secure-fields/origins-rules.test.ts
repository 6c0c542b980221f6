// Pages that may embed card fields.
import { expect, it } from 'vitest'
import { isAllowed as isAllowedByFrame } from '../../web/secure-fields/frame/origins.ts'
import { allowedOrigins, isAllowed } from './origins-rules.ts'

const shop = 'https://shop.example'
const gateway = 'https://pay.example'

it.each([
  // registered, sandbox, origin, allowed
  [[shop], false, shop, true],
  [[shop], false, 'https://shop.example:8443', false],
  [[shop], false, 'http://shop.example', false],
  [[shop], false, 'https://www.shop.example', false],
  [[shop], false, 'https://shop.example.evil.example', false],
  [[shop], false, 'null', false],
  [[shop], false, gateway, false],
  [[], false, 'http://localhost:3000', false],
  [[shop], true, 'http://localhost:3000', false],
  [[shop], true, gateway, true],
  [[], true, gateway, true],
  [[], true, 'http://localhost:3000', true],
  [[], true, 'http://localhost', true],
  [[], true, 'https://127.0.0.1', true],
  [[], true, 'http://localhost.evil.example', false],
  [[], true, 'http://127.0.0.1.evil.example', false],
  [[], true, shop, false],
  [[], true, 'http://localhost:3000@evil.example', false],
  [[], true, 'http://localhost:3000.evil.example', false],
  [[], true, 'http://127.0.0.1:', false],
  [[], true, 'http://LOCALHOST:3000', false],
  [[shop], false, `${shop}/`, false],
])('registered %j, sandbox %j: %s is allowed %j', (registered, sandbox, origin, expected) => {
  const allowed = allowedOrigins({ secureFieldOrigins: registered }, { sandbox, baseUrl: gateway })
  expect(isAllowed(origin, allowed)).toBe(expected)
  // The frame has its own copy of the rule.
  expect(isAllowedByFrame(origin, allowed)).toBe(expected)
})
