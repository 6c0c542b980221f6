// The model and the random world know the gateway by its API alone: what they shared with it would be wrong in both.
import { type CodeFile, type Finding, isTest, type Tree, targetsOf } from './tree.ts'

/** Every import of `proof/model` and `proof/world`, type imports included: files of `proof` alone. */
export function checkProof(tree: Tree): Finding[] {
  return tree.code
    .filter(({ path }) => /^proof\/(model|world)\//.test(path) && !isTest(path))
    .flatMap(importsFrom)
}

function importsFrom(file: CodeFile): Finding[] {
  return targetsOf(file)
    .filter(({ target }) => !target.startsWith('proof/'))
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `The model imports ${target}.`,
      mend: 'Write it once more, from the specification: code that is shared with the gateway cannot find it wrong.',
    }))
}
