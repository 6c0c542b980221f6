// Rules of plain English, and words that the glossary replaces.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Sentence, sentencesOf } from './prose.ts'

type Rules = Map<string, RegExp>

const english: Rules = new Map(
  Object.entries({
    'begins with "$1" and is no question':
      /^(what|who|whom|whose|whoever|whatever|where|wherever)\b(?!.*\?)/i,
    '"$1" names nothing: name the thing':
      /(?:^.+\b(?=whoever|whatever|whomever|wherever)|(?:[;:,]|\b(?:of|to|from|by|for|with|about|in|and|or|than|but|is|are|was|as|at|on|after|before|shows?|says?|knows?|see|not|only)) )(what|who|whom|whoever|whatever|whomever|wherever)\b(?! to \w)(?!.*\?)/i,
    '"$1" for "if"': /\b(?:but|only|except|and|or|as|is|than|not|unless) (where)\b(?!.*\?)/i,
    '"$1": name the actor and the act':
      /\b((?:is|are|was|were) to be|had better|all the same|by (?:it|him|her|them|one)sel(?:f|ves))\b/i,
    '"$1": use "makes", "lets" or the verb itself':
      /\b((?:has|have|had|having) (?:the|a|an|its|their|our|your) (?:[\w'-]+ ){1,3}?(?:do|fail|see|pay|wait|ask|take|send|show|read|write|make|give|go|come|begin|authenticate|work|serve|answer|accept|refuse|arrive))\b/i,
    '"$1" is no everyday word':
      /\b(mend(?:s|ed|ing)?|anew|beside|vouch(?:es|ed)?|want of|told|heard|(?:goes|go|going|went|gone) on|(?:gives?|gave|given) again|(?:comes?|came) of|(?:is|are) none|these are all(?=\.$)|own affair)(?!\w)/i,
    '"$1": use "is"':
      /\b((?:stands?|stood|standing|lies|lay|lie|lying) (?:in|on|below|above|under|at|between|there|before|behind|within|outside|next|still))\b/i,
    'is a chain of semicolons': /(;).*;.*\.$/,
  }),
)

/** The most words that a sentence may have. */
const wordsMax = 25

/**
 * The words to avoid in English and Portuguese, from the last column of docs/glossary.md. A word in brackets is a
 * remark.
 */
function glossaryRules(root: string): { readonly en: Rules; readonly pt: Rules } {
  const rules = { en: new Map<string, RegExp>(), pt: new Map<string, RegExp>() }
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  for (const row of glossary.matchAll(/^\|(.*)\|(.*)\|.*\|(.*)\|\s*$/gm)) {
    const [, term = '', portuguese = '', avoid = ''] = row.map((cell) => cell.trim())
    const words = [...avoid.matchAll(/(?:^|, )(pt: )?([\p{L} ]+)(?=,|$)/gu)].filter(
      ([, , word]) => word !== 'Not',
    )
    for (const [language, name] of [
      ['en', term],
      ['pt', portuguese],
    ] as const) {
      const own = words
        .filter(([, mark]) => (mark === undefined) === (language === 'en'))
        .map(([, , word]) => word)
      const pattern = new RegExp(`(?<!\\p{L})(${own.join('|')})(?!\\p{L})`, 'iu')
      if (own.length > 0) rules[language].set(`"$1": the term is "${name}"`, pattern)
    }
  }
  return rules
}

const portugueseWords = /[ãõçâêô]|\b(não|uma|para|com|que|dos?|das?|os|as|este|esta|seu|sua|por|na|no)\b/gi

/**
 * The complaints about the prose of a file.
 * @param root project whose glossary is read
 */
export function complaintsOf(
  root: string,
  path: string,
  text: string,
): (Sentence & { readonly wrong: string })[] {
  const glossary = glossaryRules(root)
  return sentencesOf(path, text).flatMap((sentence) => {
    const words = sentence.text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word) && !/^X\W*$/.test(word))
    const isPortuguese = (sentence.text.match(portugueseWords) ?? []).length * 5 >= words.length
    const rules = isPortuguese ? glossary.pt : [...english, ...glossary.en]
    const broken = [...rules].flatMap(([wrong, pattern]) => {
      const match = pattern.exec(sentence.text)
      return match === null ? [] : [wrong.replace('$1', match[1] ?? '')]
    })
    // A cell of a table may contain a list, which is longer than a sentence.
    const isFragment = path.endsWith('.md') && !/[.!?:]\W*$/.test(sentence.text)
    if (words.length > wordsMax && !isFragment)
      broken.push(`has ${words.length} words, and ${wordsMax} are the most`)
    return broken.map((wrong) => ({ ...sentence, wrong }))
  })
}
