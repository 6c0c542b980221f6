// Code blocks of a guide in order, with the reader's steps between them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFolder } from '../../tools/docs/navigation.ts'

/**
 * A fenced block. Its info string is the language and then words:
 * - `[name]` it is a file of that name, a program of the reader; `background` it starts one;
 * - `fails` it ends with an error; `callback` (json) it is the body of a callback;
 * - `production` it is for the operator of a gateway in production;
 * - `no-test` it cannot be run here.
 */
export interface Block {
  readonly kind: 'block'
  readonly line: number
  readonly language: string
  readonly words: readonly string[]
  readonly file: string | undefined
  readonly text: string
}

/**
 * A reader's step in a browser, written in a comment after the text that asks for it: `<!-- act pay URL with NUMBER CODE -->`,
 * `<!-- act save URL with NUMBER -->` (pays and saves the card), `<!-- act approve PHONE -->`, `<!-- act name URL with IBAN -->`, `<!-- act buy ORDER -->`.
 */
export interface Act {
  readonly kind: 'act'
  readonly line: number
  readonly words: readonly string[]
}

export type Step = Block | Act

export function stepsOf(page: string): Step[] {
  const text = readFileSync(join(sourceFolder, `${page}.md`), 'utf8')
  const steps = /^( *)```(.*)\n([\s\S]*?)^ *```\s*$|^ *<!-- act (.+?) -->$/gm
  return [...text.matchAll(steps)].map((match) => {
    const [, indent = '', info = '', content = '', act] = match
    const line = text.slice(0, match.index).split('\n').length
    if (act !== undefined) return { kind: 'act', line, words: act.split(' ') }
    const [language = '', ...words] = info.trim().split(/\s+/)
    const file = language === 'sh' ? undefined : /\[(.+)\]/.exec(info)?.[1]
    return {
      kind: 'block',
      line,
      language,
      words,
      file,
      text: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }
  })
}
