// Rules for layers: imports go down, through index.ts.
import { posix } from 'node:path'
import { type Finding, isTest, type Tree } from './tree.ts'

const tablePath = 'docs/ARCHITECTURE.md'
/** Files of modules up to this layer may be imported directly. */
const openLayerMax = 1

/** The command line imports these files before it opens a module, because they do no I/O. */
const pureFiles = /\/(?:[\w-]+-)?(rules|model)\.ts$/

export function checkLayers(tree: Tree): Finding[] {
  const layers = layersIn(tree.texts.find((file) => file.path === tablePath)?.text ?? '')
  if (layers.size === 0) {
    const fix = 'Write rows such as `| 0 | kernel |`.'
    return [{ path: tablePath, line: 1, wrong: 'There is no table of layers.', fix }]
  }
  const topLayer = Math.max(...layers.values())
  const findings: Finding[] = []
  for (const file of tree.code) {
    if (!file.path.startsWith('src/') || isTest(file.path)) continue
    const module = moduleOf(file.path, layers)
    const layer = layerOf(module, layers)
    if (layer === undefined) {
      const fix = `Put it into a module, or add ${module} to the layers in ${tablePath}.`
      findings.push({ path: file.path, line: 1, wrong: `The module ${module} is in no layer.`, fix })
      continue
    }
    for (const { text, offset } of file.imports) {
      const problem = judge({ from: file.path, module, layer, request: text, layers, topLayer })
      if (problem) findings.push({ path: file.path, line: file.lineOf(offset), ...problem })
    }
  }
  return findings
}

interface Import {
  readonly from: string
  readonly module: string
  readonly layer: number
  readonly request: string
  readonly layers: ReadonlyMap<string, number>
  readonly topLayer: number
}

function judge({ from, module, layer, request, layers, topLayer }: Import) {
  if (!request.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(from), request)
  if (!target.startsWith('src/')) {
    // For these folders other rules apply.
    if (target.endsWith('.json') || /^(client|sandbox|drivers)\//.test(target)) return undefined
    return { wrong: `It imports ${target}, outside src.`, fix: 'Move the imported code into src.' }
  }
  const targetModule = moduleOf(target, layers)
  const targetLayer = layerOf(targetModule, layers)
  if (targetModule === module || targetLayer === undefined) return undefined
  if (layer === topLayer && targetLayer === topLayer) return undefined
  if (targetLayer >= layer) {
    const direction = targetLayer === layer ? 'sideways' : 'upwards'
    return {
      wrong: `${module} (layer ${layer}) imports ${direction} from ${targetModule} (layer ${targetLayer}).`,
      fix: `Declare a function in the dependencies of ${module}, and pass it in src/compose.ts.`,
    }
  }
  if (layer === topLayer && pureFiles.test(target)) return undefined
  const isOpen = targetLayer <= openLayerMax || targetModule.includes('{')
  if (!isOpen && !isEntry(target, targetModule, module)) {
    return {
      wrong: `${module} enters ${targetModule} past its index.ts, by ${target}.`,
      fix: `Import from src/${targetModule}/index.ts, and export the names there.`,
    }
  }
  return undefined
}

/** `for-methods.ts` is a second entry point, only for the folders of payment methods. */
function isEntry(target: string, targetModule: string, module: string): boolean {
  const [, named] = /\/for-([\w-]+)\.ts$/.exec(target) ?? []
  if (named === 'methods' && !module.startsWith('methods/')) return false
  const entry = named === undefined ? 'index.ts' : `for-${named}.ts`
  return [`src/${targetModule}/${entry}`, `src/${targetModule}.ts`].includes(target)
}

export function layersIn(text: string): Map<string, number> {
  const layers = new Map<string, number>()
  for (const [, layer, modules] of text.matchAll(/^\|\s*(\d+)\s*\|([^|]+)\|/gm)) {
    const names = (modules ?? '').replaceAll(/\]\([^)]*\)|[[`]/g, '').split(', ')
    for (const name of names) layers.set(name.trim(), Number(layer))
  }
  return layers
}

/**
 * The module of a file: `src/wallets/keys/digests.ts` belongs to wallets. A row of the table may name paths:
 * `methods/{list,facts}` is one module, and each folder of `methods/*` is one.
 */
export function moduleOf(path: string, layers: ReadonlyMap<string, number>): string {
  const inSrc = path.replace(/^src\//, '').replace(/\.ts$/, '')
  const paths = [...layers.keys()].filter((name) => name.includes('/'))
  const byFile = paths.find((name) => name.includes('{') && posix.matchesGlob(inSrc, name))
  if (byFile !== undefined) return byFile
  const byFolder = paths.find((name) => posix.matchesGlob(inSrc, `${name}/**`))
  return inSrc
    .split('/')
    .slice(0, byFolder?.split('/').length ?? 1)
    .join('/')
}

function layerOf(module: string, layers: ReadonlyMap<string, number>): number | undefined {
  return layers.get(module) ?? [...layers].find(([name]) => posix.matchesGlob(module, name))?.[1]
}
