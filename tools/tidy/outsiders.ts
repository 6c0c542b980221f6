// Rules for folders outside src that use its toolboxes.
import { type CodeFile, type Finding, isTest, type Tree, targetsOf } from './tree.ts'

interface Outsider {
  readonly name: string
  readonly usable: RegExp
  readonly insteadOf: string
  /** The file of `src` that may load it by `await import`, and the folder. */
  readonly loader: string
  readonly entry: RegExp
  readonly why: string
  readonly exempt?: RegExp
  /** Its folders may import only each other's entry points. */
  readonly isDivided?: true
}

const outsiders: Readonly<Record<string, Outsider>> = {
  sandbox: {
    name: 'The sandbox',
    usable:
      /^(src\/((kernel|rails|http|storage)\/|methods\/list\.ts$|brand\/index\.ts$)|examples\/shop\/server\.ts$)/,
    insteadOf:
      'Take it from src/rails, kernel, http, storage or methods/list.ts, or have src/main.ts hand it in with the gateway.',
    loader: 'src/main.ts',
    entry: /^sandbox\/index\.ts$/,
    why: 'so that production never does',
    // The simulation takes the gateway apart.
    exempt: /^test\/verification\/simulation\//,
  },
  drivers: {
    name: 'A driver',
    usable: /^src\/((kernel|rails|http|storage)\/|(connections|bank-files)\/index\.ts$)/,
    insteadOf:
      'Take it from src/rails, kernel, http, storage, connections or bank-files, or from what `open` is handed.',
    loader: 'src/main.ts',
    entry: /^drivers\/index\.ts$/,
    why: 'so that the sandbox never does',
    isDivided: true,
  },
  client: {
    name: 'The client',
    usable:
      /^src\/(kernel\/|http\/bounded-fetch\.ts$|wallets\/demo\/demo-model\.ts$|cli\/(session|context|escape-control-characters|commands\/(answers|command))\.ts$)/,
    insteadOf: 'It speaks to a gateway over HTTP alone: ask the API, or read it from the command line.',
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

function importsFrom(
  file: CodeFile,
  folder: string,
  { name, usable, insteadOf, isDivided }: Outsider,
): Finding[] {
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
      mend: insteadOf,
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
      mend: `Only ${loader} loads ${folder}, by \`await import\`, ${why}.`,
    }))
}
