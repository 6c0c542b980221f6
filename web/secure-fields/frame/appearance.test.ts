// Allowed appearance options.
import { expect, it } from 'vitest'
import { readAppearance } from './appearance.ts'

it.each([
  ['colorText', '#123', '--ink'],
  ['colorAccent', '#0b5563', '--accent'],
  ['colorField', 'rgb(255 255 255 / 50%)', '--field'],
  ['colorBorder', 'hsl(190deg, 80%, 21%)', '--field-line'],
  ['colorBackground', 'transparent', '--ground'],
  ['fontSize', '1.125rem', '--size'],
  ['radius', '0px', '--radius'],
])('%s: %s is applied', (name, value, variable) => {
  expect(readAppearance({ [name]: value })).toEqual({ variables: new Map([[variable, value]]), problems: [] })
})

it.each([
  ['colorText', 'url(https://evil.example/a)'],
  ['colorText', 'red; } * { display: none'],
  ['colorText', 'var(--bad)'],
  ['colorText', 'rgb(1,2,3); background: red'],
  ['colorText', 'expression(alert(1))'],
  ['colorText', 5],
  ['colorText', null],
  ['fontSize', '100vw'],
  ['fontSize', 'calc(1px)'],
  ['radius', '-1px'],
  ['radius', '999px'],
  ['fontFamily', 'serif'],
  ['--ink', 'red'],
  ['constructor', 'red'],
  ['__proto__x', 'red'],
])('%s: %j is left out and reported', (name, value) => {
  const { variables, problems } = readAppearance({ [name]: value })
  expect(variables.size).toBe(0)
  expect(problems).toEqual([expect.stringContaining(`appearance.${name} `)])
})

it.each([undefined, null, 'red', 5, []])('%j is no appearance', (value) => {
  expect(readAppearance(value).variables.size).toBe(0)
})
