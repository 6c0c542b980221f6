// Rules for the shape of files.
import { type CodeFile, type Finding, isTest, type Located, type Tree } from './tree.ts'

const openingWordsMin = 3

/** A folder with more files has parts that deserve names. */
const filesInFolderMax = 20
/** A smaller folder only hides its files. */
const filesInFolderMin = 3
/** A function with more dependencies does more than one thing. */
const bagMembersMax = 8
/** Each step is a file, in the order of their creation. */
const foldersThatGrow = /\/migrations$/
const foldersThatMayBeSmall = /^(\w+|src\/methods)\/[^/]+$|^src\/operations\/open$|^examples\//

export function checkShapes(tree: Tree): Finding[] {
  return [...folders(tree), ...checkFiles(tree)]
}

function folders(tree: Tree): Finding[] {
  const files = tree.code.filter(
    ({ path }) => /^(src|client|sandbox|drivers|examples)\//.test(path) && !isTest(path),
  )
  const byFolder = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))
  return [...byFolder]
    .filter(([folder]) => !foldersThatGrow.test(folder))
    .flatMap(([folder, { length }]) => {
      const finding = (wrong: string, mend: string) => [{ path: folder, line: 1, wrong, mend }]
      if (length > filesInFolderMax)
        return finding(
          `It has ${length} files, more than ${filesInFolderMax}.`,
          'Put those that belong together into a folder that says what they do.',
        )
      const hasFolders = [...byFolder.keys()].some((other) => other.startsWith(`${folder}/`))
      return length >= filesInFolderMin || hasFolders || foldersThatMayBeSmall.test(folder)
        ? []
        : finding(`It has ${length} files, fewer than ${filesInFolderMin}.`, 'Move them into its parent.')
    })
}

function checkFiles(tree: Tree): Finding[] {
  return tree.code.flatMap((file) => [
    ...opening(file),
    ...purity(file),
    ...timeAndChance(file),
    ...keyOfRequest(file),
    ...refusals(file),
    ...bags(file),
    ...entries(file),
  ])
}

/** Rules return a refusal; verbs and routes throw it. */
function refusals(file: CodeFile): Finding[] {
  if (isTest(file.path)) return []
  return [...file.text.matchAll(/\bunwrap\(\s*refuse\(/g)].map(({ index }) => ({
    path: file.path,
    line: file.lineOf(index),
    wrong: 'It unwraps a refusal of its own.',
    mend: 'Call deny of kernel/result.ts.',
  }))
}

/** A file with more exports has more than one purpose. */
function entries(file: CodeFile): Finding[] {
  const [, named] = /^src\/(?!storage|http|rails)[\w-]+\/(index|for-[\w-]+)\.ts$/.exec(file.path) ?? []
  if (named === undefined) return []
  const max = named === 'index' ? 60 : 45
  const names = [...file.text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').filter((name) => name.trim() !== ''),
  )
  const all = names.length + [...file.text.matchAll(/^export (?!\*|(?:type )?\{)/gm)].length
  const star = file.text.search(/^export \*/m)
  return [
    ...(all > max
      ? [
          {
            path: file.path,
            line: 1,
            wrong: `It exports ${all} names, more than ${max}.`,
            mend: 'Offer less, or name the group that others ask for in a file for-<them>.ts.',
          },
        ]
      : []),
    ...(star < 0
      ? []
      : [
          {
            path: file.path,
            line: file.lineOf(star),
            wrong: 'It exports whatever another file has.',
            mend: 'Name what others need.',
          },
        ]),
  ]
}

function bags(file: CodeFile): Finding[] {
  if (!isOfTheProgram(file) || isTest(file.path)) return []
  const found = file.text.matchAll(
    /^(?:export )?interface (\w+(?:Deps|Parts|Context))\b([^{]*)\{\n(.*?)^\}/gms,
  )
  return [...found].flatMap(({ 1: name, 2: heritage = '', 3: body = '', index }) => {
    const bases = heritage
      .replaceAll(/<[^>]*>/g, '')
      .split(',')
      .filter((base) => base.trim() !== '')
    const members = bases.length + [...body.matchAll(/^ {2}(?:readonly )?\w+\??[:(<]/gm)].length
    if (members <= bagMembersMax) return []
    return [
      {
        path: file.path,
        line: file.lineOf(index),
        wrong: `${name} has ${members} members, more than ${bagMembersMax}.`,
        mend: 'Name the groups that belong together, or hand in less.',
      },
    ]
  })
}

function opening(file: CodeFile): Finding[] {
  const [first] = file.comments
  const start = file.text.startsWith('#!') ? file.text.indexOf('\n') + 1 : 0
  const block = first && first.offset === start ? openingBlock(file) : ''
  if (block.split(/\s+/).length >= openingWordsMin && /[.!?)]$/.test(block)) return []
  const wrong = 'It does not open with a sentence.'
  return [
    {
      path: file.path,
      line: 1,
      wrong,
      mend: 'Say in a first comment what the file is for, with a full stop.',
    },
  ]
}

function openingBlock(file: CodeFile): string {
  const [first, ...others] = file.comments
  if (first === undefined) return ''
  if (first.kind === 'Block') return first.text.replaceAll(/^\s*\*+\s?/gm, '').trim()
  const lines = [first.text.trim()]
  for (const { text, offset, kind } of others) {
    if (kind !== 'Line' || file.lineOf(offset) !== file.lineOf(first.offset) + lines.length) break
    lines.push(text.trim())
  }
  return lines.join(' ').trim()
}

const inputAndOutput =
  /^(node:|undici|pg$|kysely|fastify|@fastify\/|pino|(\.\.\/)+(src\/)?(storage\/(?!tables\/table\.ts$)|(http|rails)\/))/
/** A decision may read a rail's answer, but no database and no request. */
const railTypes = /^(\.\.\/)+(src\/)?rails\//
const worksWithTheWorld = /\/(store|routes|jobs|index)\.ts$|-store\.ts$/

/** `rules.ts` decides, `model.ts` and `table.ts` describe; they do no I/O. */
function purity(file: CodeFile): Finding[] {
  const kind = /^(?:src|client|sandbox|drivers)\/.*\/(?:.*-)?(rules|model|table)\.ts$/.exec(file.path)?.[1]
  if (kind === undefined) return []
  return file.imports
    .filter(({ text, typesOnly }) => !(typesOnly && railTypes.test(text)))
    .filter(
      ({ text }) => inputAndOutput.test(text) || (text.startsWith('./') && worksWithTheWorld.test(text)),
    )
    .map(({ text, offset }) => ({
      path: file.path,
      line: file.lineOf(offset),
      wrong: `${kind}.ts is pure, and imports ${text}.`,
      mend: 'Take what it needs as an argument; let the verb load before and apply after.',
    }))
}

function isOfTheProgram({ path }: CodeFile): boolean {
  return /^(src|client|sandbox|drivers)\//.test(path)
}

const clockReads = /^(Date\.now|new Date\(\)|Date\(|Temporal\.Now\b.*)$/
const clockFile = 'src/kernel/time.ts'
const systemChance =
  /(^|\.)(randomUUID|randomBytes|randomInt|randomFill(Sync)?|getRandomValues|generate(Key|KeyPair|Prime)(Sync)?|generateKeys)$/
const chanceFile = 'src/kernel/random.ts'

/** Time and chance are arguments, so that the sandbox can travel and a simulation can replay. */
function timeAndChance(file: CodeFile): Finding[] {
  if (!isOfTheProgram(file)) return []
  const report = ({ offset }: Located, wrong: string, mend: string): Finding => ({
    path: file.path,
    line: file.lineOf(offset),
    wrong,
    mend,
  })
  const chance = file.mentions
    .filter(({ text }) => text === 'Math.random')
    .map((at) =>
      report(at, 'It throws dice with Math.random.', `Take a Randomness (${chanceFile}) as argument.`),
    )
  if (isTest(file.path)) return chance
  const clock = file.mentions
    .filter(({ text }) => clockReads.test(text) && file.path !== clockFile)
    .map((at) => report(at, 'It reads the clock.', `Take a Clock or an Instant (${clockFile}) as argument.`))
  const isRoof = /^(src\/([^/]+\.ts|(cli|compose)\/.*)|client\/.*)$/.test(file.path)
  const system = file.importedNames
    .filter(({ text }) => !isRoof && (text === 'systemClock' || text === 'systemRandomness'))
    .map((at) => report(at, 'It takes time or chance from the system.', 'Let src/compose.ts hand it in.'))
  const ofNode = [...file.importedNames, ...file.mentions]
    .filter(({ text }) => systemChance.test(text) && file.path !== chanceFile)
    .map((at) =>
      report(
        at,
        'It takes chance from Node.',
        `Take a Randomness (${chanceFile}) as argument; ids: randomId.`,
      ),
    )
  return [...chance, ...clock, ...system, ...ofNode]
}

const keyFile = 'src/idempotency/key.ts'

/** A key can arrive in several places, and the header is only one of them. */
function keyOfRequest(file: CodeFile): Finding[] {
  if (!isOfTheProgram(file) || isTest(file.path) || file.path === keyFile) return []
  return file.mentions
    .filter(({ text }) => /\bheaders\[['"]idempotency-key['"]\]$/.test(text))
    .map(({ offset }) => ({
      path: file.path,
      line: file.lineOf(offset),
      wrong: 'It reads the header Idempotency-Key.',
      mend: 'Ask requestIdOf of src/idempotency/index.ts, which knows every place of a key.',
    }))
}
