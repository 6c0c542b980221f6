// Language and amounts of the issuer's page.
import { expect, it } from 'vitest'
import { amountInWords } from './amounts.ts'
import { languageOf } from './messages.ts'

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['fr-FR, de;q=0.9', 'en'],
  ['en', 'en'],
  ['EN-gb', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['en;q=0.3, pt;q=0.7', 'pt'],
  ['en;q=0.7, pt;q=0.3', 'en'],
  ['pt;q=0, en;q=0.1', 'en'],
  ['en-;;q=x, english', 'en'],
])('Accept-Language %j: %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

it.each([
  [123_456n, 'EUR', 'en', '€1,234.56'],
  [5n, 'EUR', 'en', '€0.05'],
  [1000n, 'EUR', 'pt', '10,00 €'],
  [1000n, '840', 'en', '10.00 840'],
  [undefined, undefined, 'pt', ''],
] as const)('%s %s in %s: %s', (amount, currency, language, text) => {
  expect(amountInWords({ amount, currency }, language).replaceAll('\u00a0', ' ')).toBe(text)
})
