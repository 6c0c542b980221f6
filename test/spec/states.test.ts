// State diagrams of docs/states and transition tables of the models.
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

type Transitions = Readonly<Record<string, readonly string[]>>

const root = resolve(import.meta.dirname, '../..')
const drawings = globSync('docs/states/*.md', { cwd: root }).filter((path) => basename(path) !== 'README.md')
const drawn = drawings.map((path) => ({ name: basename(path, '.md'), ...readDrawing(path) }))

/** The model named in `<!-- model: file#export -->`, and the arrows of its `stateDiagram-v2`. */
function readDrawing(path: string) {
  const text = readFileSync(join(root, path), 'utf8')
  const [, file = '', table = ''] = /^<!-- model: (\S+)#(\w+) -->$/m.exec(text) ?? []
  const diagram = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const arrows = [...diagram.matchAll(/^\s*(\S+) --> (\S+?)(?:\s*:.*)?$/gm)]
  return { file, table, arrows: arrows.map(([, from = '', to = '']) => ({ from, to })) }
}

async function modelAt(file: string): Promise<Record<string, Transitions>> {
  return await import(join(root, file))
}

function arrowsOf(transitions: Transitions): string[] {
  return Object.entries(transitions).flatMap(([from, next]) =>
    next.length === 0 ? [`${from} --> [*]`] : next.map((to) => `${from} --> ${to}`),
  )
}

function unreachable(transitions: Transitions, initial: readonly string[]): string[] {
  const reached = new Set(initial)
  for (const state of reached) for (const next of transitions[state] ?? []) reached.add(next)
  return Object.keys(transitions).filter((state) => !reached.has(state))
}

describe.each(drawn)('$name', ({ file, table, arrows }) => {
  it('draws the transitions of its model, and no others', async () => {
    const transitions = (await modelAt(file))[table] ?? {}
    const inside = arrows.filter(({ from }) => from !== '[*]').map(({ from, to }) => `${from} --> ${to}`)
    expect(inside.sort()).toEqual(arrowsOf(transitions).sort())
    expect(inside).not.toEqual([])
  })

  it('begins in states of the model, from which every state is reached', async () => {
    const transitions = (await modelAt(file))[table] ?? {}
    const initial = arrows.filter(({ from }) => from === '[*]').map(({ to }) => to)
    expect(Object.keys(transitions)).toEqual(expect.arrayContaining(initial))
    expect(unreachable(transitions, initial)).toEqual([])
  })
})

it('has a drawing for every transition table', async () => {
  const tables: string[] = []
  for (const file of globSync('src/**/model.ts', { cwd: root })) {
    const names = Object.keys(await modelAt(file)).filter((name) => name.endsWith('Transitions'))
    tables.push(...names.map((name) => `${file}#${name}`))
  }
  expect(drawn.map(({ file, table }) => `${file}#${table}`).sort()).toEqual(tables.sort())
})
