// Rules for examples: the gateway's API, the SDK and Node alone.
import { type CodeFile, type Finding, isTest, type Tree, targetsOf } from './tree.ts'

/** An example may import its own files, the SDK and Node's modules; types count too. */
export function checkExamples(tree: Tree): Finding[] {
  return tree.code.filter(({ path }) => path.startsWith('examples/') && !isTest(path)).flatMap(importsFrom)
}

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
