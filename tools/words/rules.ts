// Rules of plain English, and words that the glossary replaces.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Sentence, sentencesOf } from './prose.ts'

export interface Complaint extends Sentence {
  readonly wrong: string
}

interface Rule {
  readonly pattern: RegExp
  readonly wrong: string
}

const noun = 'names nothing: name the thing'
const english: readonly Rule[] = [
  {
    pattern: /^(what|who|whom|whose|whoever|whatever|where|wherever)\b(?!.*\?)/i,
    wrong: `begins with "$1" and is no question`,
  },
  { pattern: /\b(whoever|whatever|whomever|wherever)\b/i, wrong: `"$1" ${noun}` },
  {
    pattern:
      /(?:[;:,]|\b(?:of|to|from|by|for|with|about|in|and|or|than|but|is|are|was|as|at|on|after|before|shows?|says?|knows?|see|not|only)) (what|who|whom)\b(?! to \w)(?!.*\?)/i,
    wrong: `"$1" ${noun}`,
  },
  {
    pattern: /\b(?:but|only|except|and|or|as|is|than|not|unless) (where)\b(?!.*\?)/i,
    wrong: '"$1" for "if"',
  },
  {
    pattern:
      /\b((?:is|are|was|were) to be|had better|all the same|by (?:it|him|her|them|one)sel(?:f|ves))\b/i,
    wrong: '"$1": name the actor and the act',
  },
  {
    pattern:
      /\b((?:has|have|had|having) (?:the|a|an|its|their|our|your) (?:[\w'-]+ ){1,3}?(?:do|fail|see|pay|wait|ask|take|send|show|read|write|make|give|go|come|begin|authenticate|work|serve|answer|accept|refuse|arrive))\b/i,
    wrong: '"$1": use "makes", "lets" or the verb itself',
  },
  {
    pattern:
      /\b(mend(?:s|ed|ing)?|anew|beside|vouch(?:es|ed)?|want of|told|heard|(?:goes|go|going|went|gone) on|(?:gives?|gave|given) again|(?:comes?|came) of|(?:is|are) none)\b/i,
    wrong: '"$1" is no everyday word',
  },
  {
    pattern:
      /\b((?:stands?|stood|standing|lies|lay|lie|lying) (?:in|on|below|above|under|at|between|there|before|behind|within|outside|next|still))\b/i,
    wrong: '"$1": use "is"',
  },
  { pattern: /(;).*;.*\.$/, wrong: 'is a chain of semicolons' },
]

/** Words of one sentence. */
const wordsMax = 25

/** English and Portuguese words to avoid, from the last column of docs/glossary.md; a word in brackets is a remark. */
function glossaryRules(root: string): { readonly en: readonly Rule[]; readonly pt: readonly Rule[] } {
  const rules = { en: [] as Rule[], pt: [] as Rule[] }
  for (const row of readFileSync(join(root, 'docs/glossary.md'), 'utf8').matchAll(
    /^\|(.*)\|(.*)\|.*\|(.*)\|\s*$/gm,
  )) {
    const [, term = '', portuguese = '', avoid = ''] = row.map((cell) => cell.trim())
    for (const entry of avoid.split(',').map((one) => one.trim().replaceAll('`', ''))) {
      const isPortuguese = entry.startsWith('pt:')
      const word = entry.replace('pt:', '').trim()
      if (!/^[\p{L} -]+$/u.test(word) || /^(Not|word|where|-+)$/.test(word)) continue
      const pattern = new RegExp(`(?<!\\p{L})(${word})(?!\\p{L})`, 'iu')
      rules[isPortuguese ? 'pt' : 'en'].push({
        pattern,
        wrong: `"$1": the term is "${isPortuguese ? portuguese : term}"`,
      })
    }
  }
  return rules
}

const portugueseWords = /[ãõçâêô]|\b(não|uma|para|com|que|dos?|das?|os|as|este|esta|seu|sua|por|na|no)\b/gi

/** Complaints about the prose of a file. `root`: the project, whose glossary is read. */
export function complaintsOf(root: string, path: string, text: string): Complaint[] {
  const glossary = glossaryRules(root)
  return sentencesOf(path, text).flatMap((sentence) => {
    const words = sentence.text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word))
    const isPortuguese = (sentence.text.match(portugueseWords) ?? []).length * 5 >= words.length
    const rules = isPortuguese ? glossary.pt : [...english, ...glossary.en]
    const broken = rules.flatMap(({ pattern, wrong }) => {
      const match = pattern.exec(sentence.text)
      return match === null ? [] : [wrong.replace('$1', match[1] ?? '')]
    })
    if (words.length > wordsMax) broken.push(`has ${words.length} words, and ${wordsMax} are the most`)
    return broken.map((wrong) => ({ ...sentence, wrong }))
  })
}
