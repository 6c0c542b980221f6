// Decision records: there are few, and each mention names an existing one.
import type { Finding, TextFile, Tree } from './tree.ts'

const folder = 'docs/decisions/'
/** Nobody reads more records than this. */
const recordsMax = 25

/** Mentions of records: `decision 0004`, `Decisions 0011, 0012`, `docs/decisions/0004`, and in prose `(0004)`. */
const mentions = /\b[Dd]ecisions?(?: \[?|\/)(\d{4}(?:, \d{4})*)/g
const inBrackets = /\((0\d{3}(?:, 0\d{3})*)\)/g

/** Counts the records, and checks every number that code or prose mentions. */
export function checkDecisions(tree: Tree): Finding[] {
  const numbers = tree.texts.flatMap(({ path }) => {
    const [, number] = /^docs\/decisions\/(\d{4})-[^/]+\.md$/.exec(path) ?? []
    return number === undefined ? [] : [number]
  })
  const tooMany: Finding = {
    path: folder,
    line: 1,
    wrong: `It has ${numbers.length} records, more than ${recordsMax}.`,
    fix: 'Merge two records, or write the facts of one into a page of docs/inside.',
  }
  const known = new Set(numbers)
  return [
    ...(numbers.length > recordsMax ? [tooMany] : []),
    ...tree.texts.filter(({ path }) => path !== testOfTidy).flatMap((file) => unknown(file, known)),
  ]
}

/** The examples in this test mention records that do not exist. */
const testOfTidy = 'tools/tidy.test.ts'

function unknown(file: TextFile, known: ReadonlySet<string>): Finding[] {
  const found = file.path.endsWith('.md') ? [mentions, inBrackets] : [mentions]
  return found
    .flatMap((pattern) => [...file.text.matchAll(pattern)])
    .flatMap(({ 1: list = '', index }) =>
      list
        .split(', ')
        .filter((number) => !known.has(number))
        .map((number) => ({
          path: file.path,
          line: file.lineOf(index),
          wrong: `There is no decision ${number}.`,
          fix: 'Name a record of docs/decisions, or write the reason in a few words.',
        })),
    )
}
