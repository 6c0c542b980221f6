// The model and the random world know the gateway by its API alone: what they shared with it would be wrong in both.
import { type CodeFile, type Finding, type Tree, targetsOf } from './tree.ts'

/** Every import of `test/verification/model` and `test/verification/world`, type imports included: files of `test/verification` alone. */
export function checkModel(tree: Tree): Finding[] {
  return tree.code
    .filter(({ path }) => /^test\/verification\/(model|world)\//.test(path) && !path.endsWith('.test.ts'))
    .flatMap(importsFrom)
}

function importsFrom(file: CodeFile): Finding[] {
  return targetsOf(file)
    .filter(({ target }) => !target.startsWith('test/verification/'))
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `The model imports ${target}.`,
      mend: 'Write it once more, from the specification: code that is shared with the gateway cannot find it wrong.',
    }))
}
