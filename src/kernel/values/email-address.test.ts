// Shapes of e-mail addresses, and of what is none.
import { expect, it } from 'vitest'
import { isEmailAddress } from './email-address.ts'

it.each(['ana@example.com', 'o.neill+shop@sub.example.pt', 'joão@exemplo.pt', 'a@b.c'])('%s is one', (text) =>
  expect(isEmailAddress(text)).toBe(true),
)

it.each(['', 'ana', 'ana@', '@example.com', 'ana@example', 'ana@@example.com', 'ana silva@example.com'])(
  '%j is none',
  (text) => expect(isEmailAddress(text)).toBe(false),
)

it.each(['<ana@example.com>', ' ana@example.com', 'ana@example.com\n', `${'a'.repeat(96)}@b.pt`])(
  '%j is none either',
  (text) => expect(isEmailAddress(text)).toBe(false),
)
