// The ground plan shows modules by layer and their imports, and is found to be out of date.
import { expect, it } from 'vitest'
import { withGroundPlan } from './ground-plan.ts'
import type { CodeFile } from './tidy/tree.ts'

const page = `
| layer | modules |
|---|---|
| 3 | main |
| 2 | selling |
| 1 | orders |
| 0 | wallets, kernel |

<!-- ground plan: npm run tables -->
<!-- end of ground plan -->
`

function file(path: string, lines: number, ...imports: string[]): CodeFile {
  const text = 'line\n'.repeat(lines)
  return {
    ...{ path, text, lineOf: () => 1, importedNames: [], mentions: [], comments: [] },
    imports: imports.map((name) => ({ text: name, offset: 0, typesOnly: false })),
  }
}

const selling = (lines: number, ...imports: string[]) => [
  file('src/main.ts', 10, './selling/index.ts'),
  file('src/selling/index.ts', lines, ...imports),
  file('src/selling/rules.test.ts', 500),
  file('src/orders/index.ts', 20, '../wallets/index.ts', '../kernel/time.ts'),
  file('src/wallets/index.ts', 3000),
]
const imports = ['../orders/index.ts', '../wallets/index.ts']

it('has sizes without tests, and no indirect imports', () => {
  expect(withGroundPlan(page, selling(1510, ...imports)).split('\n')).toEqual(
    expect.arrayContaining([
      ' 3 main.ts …     1     10 ▇            → selling',
      ' 2 selling       1   1510 ▇            → orders',
      ' 1 orders        1     20 ▇            → wallets',
      ' 0 wallets       1   3000 ▇▇',
    ]),
  )
})

it('stays the same until a size changes by more than a fifth, or an import is added', () => {
  const drawn = withGroundPlan(page, selling(1500, ...imports))
  expect(withGroundPlan(drawn, selling(1600, ...imports))).toBe(drawn)
  expect(withGroundPlan(drawn, selling(2000, ...imports))).not.toBe(drawn)
  expect(withGroundPlan(drawn, selling(1500, '../wallets/index.ts'))).not.toBe(drawn)
})
