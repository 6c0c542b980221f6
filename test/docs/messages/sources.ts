// Parsed sources with their declarations.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { projectRoot } from '../../../tools/docs/navigation.ts'

/** A node of the syntax tree, read by its keys. */
// biome-ignore lint/suspicious/noExplicitAny: the tree has a hundred kinds of nodes
export type Node = any

/** A parameter of a function: a name, or a property of the object that the function takes. */
export interface Parameter {
  readonly owner: Node
  readonly index: number
  readonly property: string | undefined
}

export type Declaration =
  | { readonly kind: 'function'; readonly node: Node; readonly file: Source }
  | { readonly kind: 'value'; readonly node: Node; readonly file: Source }
  | { readonly kind: 'parameter'; readonly parameter: Parameter; readonly file: Source }

/** A name within a part of a file. */
interface Name {
  readonly start: number
  readonly end: number
  readonly declaration: Declaration
}

export interface Source {
  readonly path: string
  readonly text: string
  readonly program: Node
  readonly names: Map<string, Name[]>
  /** Names that other files declare: the path of the file, and the name there. */
  readonly imports: Map<string, readonly [string, string]>
  /** Files whose exports are exports of this file too. */
  readonly forwards: string[]
}

export type Sources = ReadonlyMap<string, Source>

/** All files of the gateway, by their path. */
export function readSources(): Sources {
  const paths = globSync('src/**/*.ts', { cwd: projectRoot, exclude: ['**/*.test.ts'] }).sort()
  return new Map(paths.map((path) => [path, readSource(path)]))
}

function readSource(path: string): Source {
  const text = readFileSync(join(projectRoot, path), 'utf8')
  const { program } = parseSync(path, text)
  const source: Source = { path, text, program, names: new Map(), imports: new Map(), forwards: [] }
  declare(source, program, program)
  return source
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

export function isFunction({ type }: Node): boolean {
  return /Function/.test(type) && !/^TS/.test(type)
}

/** Notes what `node` and the nodes in it declare; `scope` is the function or block around them. */
function declare(source: Source, node: Node, scope: Node): void {
  const { type } = node
  if (/^TS(Type|Interface)/.test(type)) return
  const note = (name: string, declaration: Declaration, { start, end }: Node = scope) =>
    source.names.set(name, [...(source.names.get(name) ?? []), { start, end, declaration }])
  if (type === 'ImportDeclaration') return noteImports(source, node)
  if (type.startsWith('Export') && node.source !== null && node.source !== undefined)
    return noteForwards(source, node)
  if (type === 'FunctionDeclaration' && node.id) note(node.id.name, { kind: 'function', node, file: source })
  if (type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
    note(node.id.name, { kind: isFunction(node.init) ? 'function' : 'value', node: node.init, file: source })
  if (isFunction(node)) {
    for (const [index, parameter] of node.params.entries())
      for (const [name, property] of namesOf(parameter))
        note(name, { kind: 'parameter', parameter: { owner: node, index, property }, file: source }, node)
  }
  const inner = isFunction(node) || type === 'BlockStatement' ? node : scope
  for (const child of childrenOf(node)) declare(source, child, inner)
}

/** The names of a parameter, each with the property that it stands for. */
function namesOf(parameter: Node): [string, string | undefined][] {
  if (parameter.type === 'AssignmentPattern') return namesOf(parameter.left)
  if (parameter.type === 'Identifier') return [[parameter.name, undefined]]
  if (parameter.type !== 'ObjectPattern') return []
  return parameter.properties.flatMap(({ key, value }: Node) =>
    value?.type === 'Identifier' ? [[value.name, key.name]] : [],
  )
}

function noteImports({ path, imports }: Source, node: Node): void {
  const from = node.source.value as string
  if (!from.startsWith('.')) return
  for (const { local, imported } of node.specifiers)
    if (imported !== undefined) imports.set(local.name, [join(dirname(path), from), imported.name])
}

function noteForwards({ path, imports, forwards }: Source, node: Node): void {
  const target = join(dirname(path), node.source.value)
  if (node.type === 'ExportAllDeclaration') forwards.push(target)
  else for (const { local, exported } of node.specifiers) imports.set(exported.name, [target, local.name])
}

/** The declaration of a name that is used at `position` of a file; undefined for one of a package. */
export function resolve(
  sources: Sources,
  source: Source,
  name: string,
  position?: number,
): Declaration | undefined {
  const around = (source.names.get(name) ?? []).filter(
    ({ start, end }) => position === undefined || (start <= position && position < end),
  )
  const nearest = around.sort((one, other) => one.end - one.start - (other.end - other.start))[0]
  if (nearest !== undefined) return nearest.declaration
  const [path, there] = source.imports.get(name) ?? []
  if (path !== undefined && there !== undefined) {
    const target = sources.get(path)
    return target === undefined ? undefined : resolve(sources, target, there)
  }
  if (position !== undefined) return undefined
  for (const forward of source.forwards) {
    const target = sources.get(forward)
    const found = target === undefined ? undefined : resolve(sources, target, name)
    if (found !== undefined) return found
  }
  return undefined
}
