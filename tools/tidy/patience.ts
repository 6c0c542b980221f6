// Finds tests that depend on the speed of the machine.
import { type CodeFile, type Finding, findingAt, type Tree } from './tree.ts'

const patienceMsMin = 120_000
const sleepMsMax = 50

/** Files that may break these rules, with the reason. */
const mayTest: Readonly<Record<string, string>> = {
  'test/crashes/suspensions.test.ts': 'A suspended process must miss the 2 s in which it may begin a call.',
  'tools/tidy.test.ts': 'Its cases break these rules.',
}

/** If a pattern has a group, the first one is a number of milliseconds. */
const rules = [
  {
    pattern: /^(?!.*judgesTimes).*(?:\.now\(\) - |- (?:performance|Date)\.now\(\)).*\.toBeLessThan/gm,
    isWrong: (_ms: number) => true,
    wrong: 'It asserts that the machine is fast.',
    fix: 'Assert order or counts, or time only with `if (judgesTimes)` of test/patience.ts.',
  },
  {
    // The number can be an option of a test or of expect.poll, or the last argument of a test or a receiver.
    pattern:
      /(?:, \{ (?:\w+: [\d_]+, )?timeout: |^\s*\}, |^\s*(?:it|test|(?:before|after)(?:All|Each))\b.*, |\.waitFor\w*\(.*(?:timeout: |, \d+, ))([\d_]{4,})(?:\)$| ?[,}]|\))/gm,
    isWrong: (ms: number) => ms < patienceMsMin,
    wrong: 'Its time-out is too short for a slow machine.',
    fix: 'Remove it: vitest.config.ts has time-outs for tests, hooks and expect.poll.',
  },
  {
    pattern: /\bawait (?:pause\(|new Promise.*setTimeout\(\w+, )([\d_]+)/g,
    isWrong: (ms: number) => ms > sleepMsMax,
    wrong: 'It sleeps instead of waiting for an event.',
    fix: 'Wait for an event with expect.poll, or end the lease in the database.',
  },
]

export function checkPatience(tree: Tree): Finding[] {
  return tree.code.filter(({ path }) => /\.test\.tsx?$/.test(path) && !(path in mayTest)).flatMap(findingsIn)
}

function findingsIn(file: CodeFile): Finding[] {
  return rules.flatMap(({ pattern, isWrong, wrong, fix }) =>
    [...file.text.matchAll(pattern)]
      .filter(([, number]) => isWrong(Number(number?.replaceAll('_', ''))))
      .map(({ index, 0: found }) => findingAt(file, index + found.length, wrong, fix)),
  )
}
