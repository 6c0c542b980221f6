// Stryker plug-in: does not change texts for people and names of columns.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** The part of a Babel node that this file uses. */
interface Node {
  readonly type: string
  readonly callee?: { readonly type: string; readonly name?: string }
  readonly arguments?: readonly unknown[]
}

interface Path {
  readonly node: Node
  readonly parentPath?: Path | null
}

const texts = new Set(['StringLiteral', 'TemplateLiteral'])
const speaking = new Set(['refuse', 'Error', 'TypeError', 'RangeError'])

function shouldIgnore(path: unknown): string | undefined {
  const { node, parentPath } = path as Path
  // Names of columns need no mutations: a test compares them with the schema, and types check their uses.
  if (node.type === 'CallExpression' && node.callee?.name === 'table') return 'columns'
  const call = parentPath?.node
  if (!texts.has(node.type) || !speaking.has(call?.callee?.name ?? '')) return undefined
  return call?.callee?.name === 'refuse' && call.arguments?.[0] === node ? undefined : 'wording'
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'wording', { shouldIgnore })]
