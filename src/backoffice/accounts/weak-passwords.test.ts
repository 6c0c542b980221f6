// Which passwords are too weak although they are long enough.
import { expect, it } from 'vitest'
import { weaknessOf } from './weak-passwords.ts'

it.each([
  'aaaaaaaaaaaa',
  'abababababab',
  'abc123abc123',
  'Password1234',
  'P@ssw0rd!2024',
  'passwordpassword',
  'Palavrapasse1!',
  'qwertyuiop123',
  '123456789012',
  '098765432109',
  'abcdefghijkl',
  'Administrator1',
  'Comporta2026!',
])('%s is weak', (password) => {
  expect(weaknessOf(password)).toMatch(/^password must/)
})

it.each(['ana@example.com', 'Ana@Example.com', 'ana@example.com1', '2026ana@example.com'])(
  '%s is weak for ana@example.com',
  (password) => {
    expect(weaknessOf(password, 'ana@example.com')).toBe('password must not be the e-mail address')
    expect(weaknessOf(password, 'rui@example.com')).toBeUndefined()
  },
)

it.each([
  'four plain words here',
  'another four plain words',
  'tr0ubador&3-lisbon',
  'gaivota azul no rio',
  'Xk9-qpZ2-mmT7',
])('%s is not', (password) => {
  expect(weaknessOf(password)).toBeUndefined()
})
