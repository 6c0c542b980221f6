// Examples are what a merchant's developer copies: they know the gateway by its API alone, and need no package but the SDK.
import { type CodeFile, type Finding, isTest, type Tree, targetsOf } from './tree.ts'

/** Every import of `examples`, type imports included: files of the same example, the SDK, and Node's own modules. */
export function checkExamples(tree: Tree): Finding[] {
  return tree.code.filter(({ path }) => path.startsWith('examples/') && !isTest(path)).flatMap(importsFrom)
}

/** Whoever copies an example installs it. */
const sdk = '@comporta/sdk'

function importsFrom(file: CodeFile): Finding[] {
  const [own] = /^examples\/[^/]+\//.exec(file.path) ?? ['']
  const ofOthers = targetsOf(file).filter(({ target }) => !target.startsWith(own))
  const packages = file.imports
    .filter(({ text }) => !text.startsWith('.') && !text.startsWith('node:') && text !== sdk)
    .map(({ text, offset }) => ({ target: text, line: file.lineOf(offset) }))
  return [...ofOthers, ...packages].map(({ target, line }) => ({
    path: file.path,
    line,
    wrong: `An example imports ${target}.`,
    mend: 'Write what it needs into the example, or ask the gateway over HTTP: whoever copies it has nothing else.',
  }))
}
