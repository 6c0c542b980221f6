// Rules for the shape of files.
import { type CodeFile, type Finding, findingAt, isTest, type Located, type Tree } from './tree.ts'

const openingWordsMin = 2

/** A folder with more files should be divided into folders with names. */
const filesInFolderMax = 20
/** A smaller folder only hides its files. */
const filesInFolderMin = 3
/** A function that needs more dependencies probably has more than one task. */
const bagMembersMax = 8
/** In these folders the files are numbered, and their number grows. */
const foldersThatGrow = /\/migrations$/
const foldersThatMayBeSmall = /^(\w+|src\/methods)\/[^/]+$|^src\/operations\/open$|^examples\//

export function checkShapes(tree: Tree): Finding[] {
  const ofFiles = [opening, purity, timeAndChance, keyOfRequest, refusals, bags, entries]
  return [...folders(tree), ...tree.code.flatMap((file) => ofFiles.flatMap((check) => check(file)))]
}

function folders(tree: Tree): Finding[] {
  const files = tree.code.filter(
    ({ path }) => /^(src|client|sandbox|drivers|examples)\//.test(path) && !isTest(path),
  )
  const byFolder = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))
  return [...byFolder]
    .filter(([folder]) => !foldersThatGrow.test(folder))
    .flatMap(([folder, { length }]) => {
      const finding = (wrong: string, fix: string) => [{ path: folder, line: 1, wrong, fix }]
      if (length > filesInFolderMax)
        return finding(
          `It has ${length} files, more than ${filesInFolderMax}.`,
          'Put related files into a folder that names their purpose.',
        )
      const hasFolders = [...byFolder.keys()].some((other) => other.startsWith(`${folder}/`))
      return length >= filesInFolderMin || hasFolders || foldersThatMayBeSmall.test(folder)
        ? []
        : finding(`It has ${length} files, fewer than ${filesInFolderMin}.`, 'Move them into its parent.')
    })
}

/** A rule returns a refusal. Only verbs and routes throw it, by `deny`. */
function refusals(file: CodeFile): Finding[] {
  if (isTest(file.path)) return []
  return [...file.text.matchAll(/\bunwrap\(\s*refuse\(/g)].map(({ index }) =>
    findingAt(file, index, 'It unwraps its own refusal.', 'Call deny of kernel/result.ts.'),
  )
}

/** A module that exports more probably has more than one purpose. */
function entries(file: CodeFile): Finding[] {
  const [, named] = /^src\/(?!storage|http|rails)[\w-]+\/(index|for-[\w-]+)\.ts$/.exec(file.path) ?? []
  if (named === undefined) return []
  const max = named === 'index' ? 60 : 45
  const names = [...file.text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').filter((name) => name.trim() !== ''),
  )
  const all = names.length + [...file.text.matchAll(/^export (?!\*|(?:type )?\{)/gm)].length
  const star = file.text.search(/^export \*/m)
  const findings: Finding[] = []
  if (all > max) {
    const fix = 'Export less, or move the names of one group of callers to for-<group>.ts.'
    findings.push(findingAt(file, 0, `It exports ${all} names, more than ${max}.`, fix))
  }
  if (star >= 0) {
    findings.push(findingAt(file, star, 'It exports all names of another file.', 'Export names one by one.'))
  }
  return findings
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
    const wrong = `${name} has ${members} members, more than ${bagMembersMax}.`
    return [findingAt(file, index, wrong, 'Group related members under a name, or pass fewer.')]
  })
}

function opening(file: CodeFile): Finding[] {
  const [first] = file.comments
  const start = file.text.startsWith('#!') ? file.text.indexOf('\n') + 1 : 0
  const block = first && first.offset === start ? openingBlock(file) : ''
  if (block.split(/\s+/).length >= openingWordsMin && /[.!?)]$/.test(block)) return []
  const fix = 'Start with a comment that names the purpose of the file and ends with a full stop.'
  return [findingAt(file, 0, 'It does not start with a sentence.', fix)]
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
/** A decision may read the answer of a rail, but no database and no request. */
const railTypes = /^(\.\.\/)+(src\/)?rails\//
const worksWithTheWorld = /\/(store|routes|jobs|index)\.ts$|-store\.ts$/

/** `rules.ts` decides, `model.ts` and `table.ts` describe. None of them does I/O. */
function purity(file: CodeFile): Finding[] {
  const kind = /^(?:src|client|sandbox|drivers)\/.*\/(?:.*-)?(rules|model|table)\.ts$/.exec(file.path)?.[1]
  if (kind === undefined) return []
  return file.imports
    .filter(({ text, typesOnly }) => !(typesOnly && railTypes.test(text)))
    .filter(
      ({ text }) => inputAndOutput.test(text) || (text.startsWith('./') && worksWithTheWorld.test(text)),
    )
    .map(({ text, offset }) => {
      const fix = 'Pass the data as an argument: the verb loads before and applies after.'
      return findingAt(file, offset, `${kind}.ts is pure, and imports ${text}.`, fix)
    })
}

function isOfTheProgram({ path }: CodeFile): boolean {
  return /^(src|client|sandbox|drivers)\//.test(path)
}

const clockReads = /^(Date\.now|new Date\(\)|Date\(|Temporal\.Now\b.*)$/
const clockFile = 'src/kernel/time.ts'
const systemChance =
  /(^|\.)(randomUUID|randomBytes|randomInt|randomFill(Sync)?|getRandomValues|generate(Key|KeyPair|Prime)(Sync)?|generateKeys)$/
const chanceFile = 'src/kernel/random.ts'

/**
 * Time and random values must be arguments, so that the sandbox can move the clock and a simulation can repeat a run.
 */
function timeAndChance(file: CodeFile): Finding[] {
  if (!isOfTheProgram(file)) return []
  const report = ({ offset }: Located, wrong: string, fix: string) => findingAt(file, offset, wrong, fix)
  const chance = file.mentions
    .filter(({ text }) => text === 'Math.random')
    .map((at) => report(at, 'It uses Math.random.', `Take a Randomness (${chanceFile}) as argument.`))
  if (isTest(file.path)) return chance
  const clock = file.mentions
    .filter(({ text }) => clockReads.test(text) && file.path !== clockFile)
    .map((at) => report(at, 'It reads the clock.', `Take a Clock or an Instant (${clockFile}) as argument.`))
  const isRoof = /^(src\/([^/]+\.ts|(cli|compose)\/.*)|client\/.*)$/.test(file.path)
  const system = file.importedNames
    .filter(({ text }) => !isRoof && (text === 'systemClock' || text === 'systemRandomness'))
    .map((at) => report(at, 'It takes time or randomness from the system.', 'Pass it from src/compose.ts.'))
  const ofNode = [...file.importedNames, ...file.mentions]
    .filter(({ text }) => systemChance.test(text) && file.path !== chanceFile)
    .map((at) =>
      report(
        at,
        'It takes randomness from Node.',
        `Take a Randomness (${chanceFile}) as argument, or use randomId.`,
      ),
    )
  return [...chance, ...clock, ...system, ...ofNode]
}

const keyFile = 'src/idempotency/key.ts'

/** Only one file may read the idempotency key, because the header is one of several places for it. */
function keyOfRequest(file: CodeFile): Finding[] {
  if (!isOfTheProgram(file) || isTest(file.path) || file.path === keyFile) return []
  return file.mentions
    .filter(({ text }) => /\bheaders\[['"]idempotency-key['"]\]$/.test(text))
    .map(({ offset }) => {
      const fix = 'Call requestIdOf of src/idempotency/index.ts, which reads every place of a key.'
      return findingAt(file, offset, 'It reads the header Idempotency-Key.', fix)
    })
}
