// Rules for the model and the random world: the API alone.
import { type CodeFile, type Finding, type Tree, targetsOf } from './tree.ts'

/** They may import files of `test/verification` only, types included, so that no shared error hides. */
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
