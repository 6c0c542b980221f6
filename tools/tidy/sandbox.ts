// The sandbox is a driver of the rails beside others: it uses the gateway's toolboxes, and only main starts it.
import { posix } from 'node:path'
import { type CodeFile, type Finding, isTest, type Tree } from './tree.ts'

/** What the sandbox may import of `src`: what any driver with pages of its own needs. */
const usable = /^src\/((kernel|rails|http|storage)\/|brand\/index\.ts$)/
const starter = 'src/main.ts'
const entry = 'sandbox/index.ts'

/** Every import from `sandbox` and of it, type imports included; tests may enter anywhere. */
export function checkSandbox(tree: Tree): Finding[] {
  return tree.code
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => (file.path.startsWith('sandbox/') ? importsFrom(file) : importsOf(file)))
}

function importsFrom(file: CodeFile): Finding[] {
  return targetsOf(file)
    .filter(({ target }) => !target.startsWith('sandbox/') && !usable.test(target))
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `The sandbox imports ${target}.`,
      mend: 'Take it from src/rails, kernel, http or storage, or have src/main.ts hand it in with the gateway.',
    }))
}

function importsOf(file: CodeFile): Finding[] {
  return targetsOf(file)
    .filter(({ target }) => target.startsWith('sandbox/'))
    .filter(({ target, isLoaded }) => file.path !== starter || target !== entry || isLoaded)
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `It imports ${target}.`,
      mend: `Only ${starter} loads the sandbox, by \`await import\` of ${entry}, so that production never does.`,
    }))
}

function targetsOf(file: CodeFile) {
  return file.imports
    .filter(({ text }) => text.startsWith('.'))
    .map(({ text, offset, typesOnly, deferred = false }) => ({
      target: posix.join(posix.dirname(file.path), text),
      line: file.lineOf(offset),
      isLoaded: !typesOnly && !deferred,
    }))
}
