// Each error of the specification map is found.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { specCoverage } from './spec-coverage.ts'

const specification = `# Gateway

## Money

Paid in euros.

### Payment

| Field | Type |
|---|---|
| amount | float |
| fee, net | float |

Rules:
1. Nothing is free.
2. Rounding: not shown.

## Endpoints

| Method | Path |
|---|---|
| GET | /payments |
| POST | /payments |

- Refunds (back): money back
`

const head = '| id | clause | shown by | decision | place |\n|---|---|---|---|---|\n'
const lines = {
  euros: '| MON-1 | Euros | planned: operations | | |',
  amount: '| PAY-1 | An amount | test/spec/pay.test.ts › pays the amount | | amount |',
  fee: '| PAY-2 | A fee | test/spec/pay.test.ts › fees › are $kind | | fee, net |',
  free: '| PAY-3 | No gift | test/spec/pay.test.ts › fees | | rule 1 |',
  round: '| PAY-4 | Not shown: rounding | planned: operations | O-1 | rule 2 |',
  list: '| END-1 | Lists | test/spec/pay.test.ts › fees › are $kind + test/spec/pay.test.ts › pays the amount | 0002 | GET /payments |',
  create: '| END-2 | Makes | none | O-1 | POST /payments |',
  refund: '| END-3 | Refunds | planned: operations | | Refunds |',
}

function map(changes: Partial<Record<keyof typeof lines, string>>): string {
  const { euros, amount, fee, free, round, list, create, refund } = { ...lines, ...changes }
  const payment = [amount, fee, free, round].filter(Boolean).join('\n')
  const endpoints = [list, create, refund].filter(Boolean).join('\n')
  const sections = [
    `## Money\n\n${head}${euros}`,
    `### Payment\n\n${head}${payment}`,
    `## Endpoints\n\n${head}${endpoints}`,
  ]
  return `# Map\n\n${sections.join('\n\n')}\n`
}

const folders: string[] = []

function problemsOf(
  changes: Partial<Record<keyof typeof lines, string>>,
  given: string | null = specification,
) {
  const root = mkdtempSync(join(tmpdir(), 'comporta-coverage-'))
  folders.push(root)
  const files = {
    'docs/SPEC-MAP.md': map(changes),
    'docs/ARCHITECTURE.md': '| layer | modules |\n|---|---|\n| 3 | operations |\n',
    'docs/decisions/README.md': '- [0002](0002-two-drivers.md)\n',
    'docs/inside/specification-gaps.md': '# Gaps\n\n## O-1 Rounding\n\nUp.\n',
    'test/spec/pay.test.ts':
      "import { startWorld } from '../world.ts'\nit('pays the amount', pay)\ndescribe('fees', () => {\n  it.each(kinds)('are $kind', see)\n})\n",
    'src/rules.test.ts': "import { pay } from './rules.ts'\nit('pays the amount', pay)\n",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return specCoverage(root, given ?? undefined).problems
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

it('finds nothing wrong with a complete map', () => {
  expect(problemsOf({})).toEqual([])
})

describe('a line is wrong', () => {
  it.each([
    [
      'a file that is not there',
      { amount: '| PAY-1 | An amount | test/spec/gone.test.ts › pays | | amount |' },
      'does not exist',
    ],
    [
      'a file that is no test',
      { amount: '| PAY-1 | An amount | src/pay.ts › pays | | amount |' },
      'is no test file',
    ],
    [
      'a title that is not there',
      { amount: '| PAY-1 | An amount | test/spec/pay.test.ts › pays twice | | amount |' },
      'has no test "pays twice"',
    ],
    [
      'a test of a part within',
      { amount: '| PAY-1 | An amount | src/rules.test.ts › pays the amount | | amount |' },
      'neither speaks HTTP nor drives a browser',
    ],
    [
      'a title outside its group',
      { amount: '| PAY-1 | An amount | test/spec/pay.test.ts › fees › pays the amount | | amount |' },
      'has no test "fees › pays the amount"',
    ],
    ['no title', { amount: '| PAY-1 | An amount | test/spec/pay.test.ts | | amount |' }, 'no title after'],
    [
      '"not shown" without decision',
      { round: '| PAY-4 | Not shown: rounding | planned: operations | | rule 2 |' },
      '"not shown" needs a decision',
    ],
    [
      'nothing without decision',
      {
        create: '| END-2 | Makes | none | | POST /payments |',
        fee: '| PAY-2 | A fee | none | O-1 | fee, net |',
      },
      '"none" needs a decision',
    ],
    [
      'a decision that is not there',
      { free: '| PAY-3 | No gift | planned: operations | O-9 | rule 1 |' },
      'there is no decision O-9',
    ],
    [
      'a record that is not there',
      { free: '| PAY-3 | No gift | planned: operations | 0009 | rule 1 |' },
      'there is no decision 0009',
    ],
    [
      'a module that is not there',
      { free: '| PAY-3 | No gift | planned: attic | | rule 1 |' },
      'has no module attic',
    ],
    [
      'an id twice',
      { free: '| PAY-1 | No gift | planned: operations | | rule 1 |' },
      'PAY-1: the id is also on line',
    ],
  ])('%s', (_, changes, problem) => {
    const problems = problemsOf(changes, null)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  it('a missing cell, or no id', () => {
    expect(problemsOf({ free: '| PAY-3 | No gift | planned: operations | |' }, null)).toHaveLength(1)
    expect(problemsOf({ free: '| third | No gift | planned: operations | | |' }, null)).toHaveLength(1)
  })

  it('a decision that no clause names', () => {
    const unnamed = {
      round: '| PAY-4 | Rounding | planned: operations | 0002 | rule 2 |',
      create: '| END-2 | Makes | none | 0002 | |',
    }
    expect(problemsOf(unnamed, null)).toEqual([expect.stringContaining('O-1 is named by no clause')])
  })
})

describe('the specification has a place without a line', () => {
  it.each([
    ['a heading', { euros: '' }, `${specification}\n## Later\n\nSoon.\n`, ['No clause for "Later".']],
    ['a row', { fee: '' }, specification, ['No clause for "fee, net" of "Money › Payment".']],
    ['a rule', { free: '' }, specification, ['No clause for "rule 1" of "Money › Payment".']],
    ['an endpoint', { list: '' }, specification, ['No clause for "GET /payments" of "Endpoints".']],
    ['a bullet', { refund: '' }, specification, ['No clause for "Refunds" of "Endpoints".']],
    [
      'something not shown, undecided',
      { round: '| PAY-4 | Rounding | planned: operations | | rule 2 |' },
      specification,
      ['Something is not shown in "rule 2" of "Money › Payment", and no clause there has a decision.'],
    ],
  ])('%s', (_, changes, given, problems) => {
    expect(problemsOf(changes, given)).toEqual(problems.map((problem) => `docs/SPEC-MAP.md  ${problem}`))
  })

  it('or the other way round', () => {
    const [problem] = problemsOf({ refund: '| END-3 | Refunds | planned: operations | | Refunds ; Gifts |' })
    expect(problem).toContain('END-3: the specification has no "Gifts" under "Endpoints".')
  })
})
