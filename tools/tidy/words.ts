// Rules for texts: to-dos, skipped tests, local paths, dead links.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isGuide, siteHas } from '../docs/navigation.ts'
import { anchorsOf } from '../docs/slug.ts'
import { type CodeFile, type Finding, findingAt, type TextFile, type Tree } from './tree.ts'

export function checkWords(tree: Tree): Finding[] {
  return [
    ...tree.code.flatMap(postponed),
    ...tree.code.flatMap(testsThatDoNotRun),
    ...tree.texts.flatMap(machinePaths),
    ...tree.texts.filter((file) => file.path.endsWith('.md')).flatMap((file) => deadLinks(tree.root, file)),
  ]
}

const promises = /\b(TODO|FIXME|XXX|HACK)\b/

function postponed(file: CodeFile): Finding[] {
  return file.comments
    .filter(({ text }) => promises.test(text))
    .map(({ text, offset }) => {
      const wrong = `A comment says ${promises.exec(text)?.[1]}.`
      const at = offset + '//'.length + text.search(promises)
      return findingAt(file, at, wrong, 'Do it now, or open an issue and remove the comment.')
    })
}

const idleTest =
  /^(it|test|describe|suite)(\.\w+)*\.(only|skip|todo)(\.\w+)*\($|^(xit|xtest|xdescribe|fit|fdescribe)\($/

function testsThatDoNotRun(file: CodeFile): Finding[] {
  return file.mentions
    .filter(({ text }) => idleTest.test(text))
    .map(({ text, offset }) =>
      findingAt(file, offset, `${text.slice(0, -1)} skips tests.`, 'Run the test, or delete it.'),
    )
}

const machinePath = /(?<![\w.:/}])\/(work|root|home|Users)\/[\w.]/g

function machinePaths(file: TextFile): Finding[] {
  const fix = 'Write it relative to the project, or take it from the environment.'
  return [...file.text.matchAll(machinePath)].map(({ index, 1: folder }) =>
    findingAt(file, index, `It contains a path of one machine (/${folder}/…).`, fix),
  )
}

function deadLinks(root: string, file: TextFile): Finding[] {
  return [...file.text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    const target = match[1] ?? ''
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const wrong = whyDead(path === '' ? join(root, file.path) : join(root, dirname(file.path), path), anchor)
    if (wrong === undefined) return isGuide(file.path) ? absentFromSite(root, file, match) : []
    const fix = 'Correct the link, or write the name without a link until the file exists.'
    return [findingAt(file, match.index, `The link to ${wrong === 'path' ? path : target} is dead.`, fix)]
  })
}

function absentFromSite(root: string, file: TextFile, { index, 1: target = '' }: RegExpExecArray): Finding[] {
  const [path = ''] = target.split('#')
  // The site copies pictures, so a link to one needs no check.
  if (path === '' || path.startsWith('pictures/') || siteHas(join(root, dirname(file.path), path), root))
    return []
  const fix =
    'Link to another guide, or to a file of deploy, drivers or examples; or write the name without a link.'
  return [findingAt(file, index, `The site of the guides has nothing at ${path}.`, fix)]
}

function whyDead(file: string, anchor: string | undefined): 'path' | 'anchor' | undefined {
  if (!existsSync(file)) return 'path'
  if (anchor === undefined || !file.endsWith('.md')) return undefined
  return anchorsOf(readFileSync(file, 'utf8')).has(anchor) ? undefined : 'anchor'
}
