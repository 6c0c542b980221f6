// Rules for words: to-dos, skipped tests, local paths, dead links.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { anchorsOf } from '../docs/slug.ts'
import type { CodeFile, Finding, TextFile, Tree } from './tree.ts'

export function checkWords(tree: Tree): Finding[] {
  return [
    ...tree.code.flatMap(postponed),
    ...tree.code.flatMap(testsThatDoNotRun),
    ...tree.texts.flatMap(machinePaths),
    ...tree.texts.filter((file) => file.path.endsWith('.md')).flatMap((file) => deadLinks(tree.root, file)),
  ]
}

const promises = /\b(TODO|FIXME|XXX|HACK)\b/

const openingMark = 2

function postponed(file: CodeFile): Finding[] {
  return file.comments
    .filter(({ text }) => promises.test(text))
    .map(({ text, offset }) => ({
      path: file.path,
      line: file.lineOf(offset + openingMark + text.search(promises)),
      wrong: `A comment says ${promises.exec(text)?.[1]}.`,
      mend: 'Do it now, or open an issue and leave no mark here.',
    }))
}

const idleTest =
  /^(it|test|describe|suite)(\.\w+)*\.(only|skip|todo)(\.\w+)*\($|^(xit|xtest|xdescribe|fit|fdescribe)\($/

function testsThatDoNotRun(file: CodeFile): Finding[] {
  return file.mentions
    .filter(({ text }) => idleTest.test(text))
    .map(({ text, offset }) => ({
      path: file.path,
      line: file.lineOf(offset),
      wrong: `${text.slice(0, -1)} keeps tests from running.`,
      mend: 'Let every test run; delete one that has nothing left to show.',
    }))
}

const machinePath = /(?<![\w.:/}])\/(work|root|home|Users)\/[\w.]/g

function machinePaths(file: TextFile): Finding[] {
  return [...file.text.matchAll(machinePath)].map((match) => ({
    path: file.path,
    line: file.lineOf(match.index),
    wrong: `It names a path of one machine (/${match[1]}/…).`,
    mend: 'Write it relative to the project, or take it from the environment.',
  }))
}

function deadLinks(root: string, file: TextFile): Finding[] {
  return [...file.text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    const target = match[1] ?? ''
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const wrong = whyDead(path === '' ? join(root, file.path) : join(root, dirname(file.path), path), anchor)
    const mend = 'Mend the link, or write the name without one until the file is there.'
    return wrong === undefined
      ? []
      : [
          {
            path: file.path,
            line: file.lineOf(match.index),
            wrong: `The link to ${wrong === 'path' ? path : target} leads nowhere.`,
            mend,
          },
        ]
  })
}

function whyDead(file: string, anchor: string | undefined): 'path' | 'anchor' | undefined {
  if (!existsSync(file)) return 'path'
  if (anchor === undefined || !file.endsWith('.md')) return undefined
  return anchorsOf(readFileSync(file, 'utf8')).has(anchor) ? undefined : 'anchor'
}
