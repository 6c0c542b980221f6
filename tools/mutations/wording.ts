// Has Stryker leave alone what only people read, why something was refused and what an error says, and the columns of tables.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** As much of a node of Babel's as is looked at. */
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

/** Why it is left alone; undefined where it is mutated. */
function shouldIgnore(path: unknown): string | undefined {
  const { node, parentPath } = path as Path
  // Columns are compared with the schema by a test, and with who reads them by types.
  if (node.type === 'CallExpression' && node.callee?.name === 'table') return 'columns'
  const call = parentPath?.node
  if (!texts.has(node.type) || !speaking.has(call?.callee?.name ?? '')) return undefined
  // The first argument of a refusal is its kind, which programs read.
  return call?.callee?.name === 'refuse' && call.arguments?.[0] === node ? undefined : 'wording'
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'wording', { shouldIgnore })]
