// The sandbox is a driver of the rails like others: it uses the gateway's toolboxes, and only main starts it.
import { type CodeFile, type Finding, isTest, type Tree, targetsOf } from './tree.ts'

/** What the sandbox may import of `src`: what any driver with pages of its own needs. */
const usable = /^src\/((kernel|rails|http|storage)\/|methods\/list\.ts$|brand\/index\.ts$)/
const starter = 'src/main.ts'
const entry = 'sandbox/index.ts'
/** What the sandbox opens as its demo shop. */
const demoShop = 'examples/shop/server.ts'

/** Like a test, it takes the gateway apart. */
const simulation = 'proof/simulation/'

/** Every import from `sandbox` and of it, type imports included; tests and the simulation may enter anywhere. */
export function checkSandbox(tree: Tree): Finding[] {
  return tree.code
    .filter(({ path }) => !isTest(path) && !path.startsWith(simulation))
    .flatMap((file) => (file.path.startsWith('sandbox/') ? importsFrom(file) : importsOf(file)))
}

function importsFrom(file: CodeFile): Finding[] {
  return targetsOf(file)
    .filter(({ target }) => !target.startsWith('sandbox/') && !usable.test(target) && target !== demoShop)
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `The sandbox imports ${target}.`,
      mend: 'Take it from src/rails, kernel, http, storage or methods/list.ts, or have src/main.ts hand it in with the gateway.',
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
