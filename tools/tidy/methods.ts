// Only the folder of a payment method may name the method.
import { type Finding, isTest, type Tree } from './tree.ts'

const factsPath = /^src\/methods\/([\w-]+)\/facts\.ts$/

/** Column titles that happen to equal the code of a method. */
const headings: Readonly<Record<string, string>> = { WALLET: 'src/cli/commands/' }

const filesMax: Readonly<Record<string, readonly [src: number, others: number]>> = {
  CC: [1, 3],
  MB: [3, 4],
  MBWAY: [0, 3],
  PAYPAL: [0, 1],
  WALLET: [2, 2],
  SEPA: [3, 0],
  BANK: [3, 0],
}

export function checkMethods(tree: Tree): Finding[] {
  const files = tree.code.filter(({ path }) => !isTest(path) && !path.includes('/migrations/'))
  return files.flatMap((file) => {
    const [, folder] = factsPath.exec(file.path) ?? []
    const [, code] = /\bcode: '(\w+)'/.exec(file.text) ?? []
    if (folder === undefined || code === undefined) return []
    const naming = files.filter(
      ({ path, text }) =>
        !path.startsWith(`src/methods/${folder}/`) &&
        !path.startsWith(headings[code] ?? '-') &&
        text.includes(`'${code}'`),
    )
    const [srcMax, othersMax] = filesMax[code] ?? [0, 0]
    const limits = [
      [srcMax, /^src\//],
      [othersMax, /^(client|sandbox|web)\//],
    ] as const
    return limits.flatMap(([max, within]) => {
      const found = naming.filter(({ path }) => within.test(path)).map(({ path }) => path)
      if (found.length === max) return []
      const count = `${found.length} files outside its folder, ${max} are allowed`
      const wrong = `${code} is named in ${count}: ${found.join(', ') || 'none'}.`
      const fix =
        'Use the list or the table of methods. If the number fell, lower it in tools/tidy/methods.ts.'
      return [{ path: file.path, line: 1, wrong, fix }]
    })
  })
}
