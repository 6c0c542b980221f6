// Each rule of plain English finds its sentence, and accepts the better one.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { complaintsOf } from './words/rules.ts'

const root = join(import.meta.dirname, '..')
const complaints = (path: string, text: string) =>
  complaintsOf(root, path, text).map(({ line, wrong }) => `${line} ${wrong}`)
const long = `Send ${'one more word and '.repeat(7)}stop.`

it.each([
  ['What nobody else gets is yours.', '1 begins with "What" and is no question', 'You keep the rest.'],
  ['Send it to whoever pays.', '1 "whoever" names nothing: name the thing', 'Send it to the payer.'],
  ['It shows what it sent.', '1 "what" names nothing: name the thing', 'It says what to do.'],
  ['It works, but where it fails, ask.', '1 "where" for "if"', 'If it fails, ask.'],
  ['A refund is to be paid.', '1 "is to be": name the actor and the act', 'The gateway pays the refund.'],
  [
    'Chaos has a network fail.',
    '1 "has a network fail": use "makes", "lets" or the verb itself',
    'Chaos makes a network fail.',
  ],
  ['Install the mend.', '1 "mend" is no everyday word', 'Install the fix.'],
  ['These are all.', '1 "These are all" is no everyday word', 'End of the list.'],
  ['The key stands in the file.', '1 "stands in": use "is"', 'The key is in the file.'],
  ['Read it; send it; delete it.', '1 is a chain of semicolons', 'Read it. Then delete it.'],
  [long, '1 has 30 words, and 25 are the most', 'Send one more word.'],
])('%s', (wrong, complaint, right) => {
  expect(complaints('docs/a.md', wrong)).toEqual([complaint])
  expect(complaints('docs/a.md', right)).toEqual([])
})

it('reads comments, texts and SQL comments of code, with their lines', () => {
  const code = [
    '// Prices.',
    "export const hint = 'what you pay is shown here'",
    '/**',
    ' * A total.',
    ' * @param a where the total stands',
    ' */',
    'export const sql = `select a from b -- whoever asks',
    'where a = 1`',
  ].join('\n')
  expect(complaints('src/a.ts', code)).toEqual([
    '5 begins with "where" and is no question',
    '2 begins with "what" and is no question',
    '7 begins with "whoever" and is no question',
  ])
})

it('knows the words of the glossary in both languages', () => {
  expect(complaints('docs/a.md', 'The vendor pays.')).toEqual(['1 "vendor": the term is "merchant"'])
  expect(complaints('docs/pt/a.md', 'O reembolso da compra não foi feito por esta pessoa.')).toEqual([
    '1 "reembolso": the term is "devolução"',
  ])
})

it('passes over code in Markdown', () => {
  expect(complaints('docs/a.md', 'Run `what is it`.\n\n```sh\nwhat is it\n```\n')).toEqual([])
})
