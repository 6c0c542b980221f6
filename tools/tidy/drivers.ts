// Drivers to real providers use what the gateway has for drivers, know each other not, and only main loads them.
import { type CodeFile, type Finding, isTest, type Tree, targetsOf } from './tree.ts'

/** What a driver may import of `src`. */
const usable = /^src\/((kernel|rails|http|storage)\/|(connections|bank-files)\/index\.ts$)/
const starter = 'src/main.ts'
const entry = 'drivers/index.ts'

/** Every import from `drivers` and of it, type imports included; tests may enter anywhere. */
export function checkDrivers(tree: Tree): Finding[] {
  return tree.code
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => (file.path.startsWith('drivers/') ? importsFrom(file) : importsOf(file)))
}

function importsFrom(file: CodeFile): Finding[] {
  const [own] = /^drivers\/[^/]+\//.exec(file.path) ?? []
  // The list of drivers imports each by its entry point.
  const isOurs = (target: string) =>
    own === undefined ? /^drivers\/[^/]+\/index\.ts$/.test(target) : target.startsWith(own)
  return targetsOf(file)
    .filter(({ target }) => !usable.test(target) && !isOurs(target))
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `A driver imports ${target}.`,
      mend: 'Take it from src/rails, kernel, http, storage, connections or bank-files, or from what `open` is handed.',
    }))
}

function importsOf(file: CodeFile): Finding[] {
  return targetsOf(file)
    .filter(({ target }) => target.startsWith('drivers/'))
    .filter(({ target, isLoaded }) => file.path !== starter || target !== entry || isLoaded)
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `It imports ${target}.`,
      mend: `Only ${starter} loads drivers, by \`await import\` of ${entry}, so that the sandbox never does.`,
    }))
}
