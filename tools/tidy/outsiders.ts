// Rules for imports of folders outside src: toolboxes, examples, the model.
import { type CodeFile, type Finding, isTest, type Tree, targetsOf } from './tree.ts'

interface Outsider {
  readonly name: string
  readonly usable: RegExp
  readonly fix: string
  /** The only file of `src` that may load the folder, by `await import`. */
  readonly loader: string
  readonly entry: RegExp
  readonly why: string
  readonly exempt?: RegExp
  /** Each folder in it may import only the entry points of the others. */
  readonly isDivided?: true
}

const outsiders: Readonly<Record<string, Outsider>> = {
  sandbox: {
    name: 'The sandbox',
    usable:
      /^(src\/((kernel|rails|http|storage)\/|methods\/list\.ts$|brand\/index\.ts$)|examples\/shop\/server\.ts$)/,
    fix: 'Use src/rails, kernel, http, storage or methods/list.ts, or pass it from src/main.ts with the gateway.',
    loader: 'src/main.ts',
    entry: /^sandbox\/index\.ts$/,
    why: 'so that production never does',
    // The simulation replaces parts of the gateway, so it imports them directly.
    exempt: /^test\/verification\/simulation\//,
  },
  drivers: {
    name: 'A driver',
    usable: /^(src\/((kernel|rails|http|storage)\/|(connections|bank-files)\/index\.ts$)|drivers\/shared\/)/,
    fix: 'Use drivers/shared, src/rails, kernel, http, storage, connections or bank-files, or an argument of `open`.',
    loader: 'src/main.ts',
    entry: /^drivers\/index\.ts$/,
    why: 'so that the sandbox never does',
    isDivided: true,
  },
  client: {
    name: 'The client',
    usable:
      /^src\/(kernel\/|http\/bounded-fetch\.ts$|callbacks\/sending\/signature\.ts$|wallets\/demo\/demo-model\.ts$|cli\/(session|context|escape-control-characters|commands\/(answers|command))\.ts$)/,
    fix: 'Ask the API over HTTP, or read it from the command line.',
    loader: 'src/cli/commands/client-commands.ts',
    entry: /^client\//,
    why: 'so that the command line is read without it',
  },
}

export function checkOutsiders(tree: Tree): Finding[] {
  return tree.code
    .filter(({ path }) => !isTest(path))
    .flatMap((file) =>
      Object.entries(outsiders)
        .filter(([, { exempt }]) => exempt?.test(file.path) !== true)
        .flatMap(([folder, outsider]) =>
          file.path.startsWith(`${folder}/`)
            ? importsFrom(file, folder, outsider)
            : importsOf(file, folder, outsider),
        ),
    )
}

function importsFrom(file: CodeFile, folder: string, { name, usable, fix, isDivided }: Outsider): Finding[] {
  const [, part] = new RegExp(`^${folder}/([^/]+)/`).exec(file.path) ?? []
  const own = isDivided === true && part !== undefined ? `${folder}/${part}/` : `${folder}/`
  const isOurs = (target: string) =>
    target.startsWith(own) &&
    (isDivided !== true || part !== undefined || /^\w+\/[^/]+\/index\.ts$/.test(target))
  return targetsOf(file)
    .filter(({ target }) => !usable.test(target) && !isOurs(target))
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `${name} imports ${target}.`,
      fix,
    }))
}

function importsOf(file: CodeFile, folder: string, { loader, entry, why }: Outsider): Finding[] {
  return targetsOf(file)
    .filter(({ target }) => target.startsWith(`${folder}/`))
    .filter(({ target, isLoaded }) => file.path !== loader || !entry.test(target) || isLoaded)
    .map(({ target, line }) => ({
      path: file.path,
      line,
      wrong: `It imports ${target}.`,
      fix: `Only ${loader} loads ${folder}, by \`await import\`, ${why}.`,
    }))
}

/** An example may import its own files, the SDK and modules of Node. Imports of types count too. */
export function checkExamples(tree: Tree): Finding[] {
  return tree.code.filter(({ path }) => path.startsWith('examples/') && !isTest(path)).flatMap(exampleImports)
}

const sdk = '@comporta/sdk'

function exampleImports(file: CodeFile): Finding[] {
  const [own] = /^examples\/[^/]+\//.exec(file.path) ?? ['']
  const ofOthers = targetsOf(file).filter(({ target }) => !target.startsWith(own))
  const packages = file.imports
    .filter(({ text }) => !text.startsWith('.') && !text.startsWith('node:') && text !== sdk)
    .map(({ text, offset }) => ({ target: text, line: file.lineOf(offset) }))
  return [...ofOthers, ...packages].map(({ target, line }) => ({
    path: file.path,
    line,
    wrong: `An example imports ${target}.`,
    fix: 'Move the code into the example, or ask the gateway over HTTP: a developer copies only the example.',
  }))
}

/**
 * The model may import only files of `test/verification`, even for types. With shared code it could not notice an
 * error of the gateway.
 */
export function checkModel(tree: Tree): Finding[] {
  const fix = 'Write it again from the specification: shared code cannot show an error of the gateway.'
  return tree.code
    .filter(({ path }) => /^test\/verification\/(model|world)\//.test(path) && !path.endsWith('.test.ts'))
    .flatMap((file) =>
      targetsOf(file)
        .filter(({ target }) => !target.startsWith('test/verification/'))
        .map(({ target, line }) => ({ path: file.path, line, wrong: `The model imports ${target}.`, fix })),
    )
}
