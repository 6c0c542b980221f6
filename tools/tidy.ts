// Layers, file shapes and words of the project: `npm run tidy`.
import { resolve } from 'node:path'
import { checkDecisions } from './tidy/decisions.ts'
import { checkLayers } from './tidy/layers.ts'
import { checkMethods } from './tidy/methods.ts'
import { checkExamples, checkModel, checkOutsiders } from './tidy/outsiders.ts'
import { checkPatience } from './tidy/patience.ts'
import { checkShapes } from './tidy/shapes.ts'
import { type Finding, readTree } from './tidy/tree.ts'
import { checkWords } from './tidy/words.ts'

export function tidy(root: string): { files: number; findings: Finding[] } {
  const tree = readTree(root)
  const all = [
    checkLayers,
    checkOutsiders,
    checkExamples,
    checkMethods,
    checkModel,
    checkShapes,
    checkWords,
    checkDecisions,
    checkPatience,
  ].flatMap((check) => check(tree))
  const findings = [...new Map(all.map((one) => [`${one.path}:${one.line} ${one.wrong}`, one])).values()]
  findings.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
  return { files: tree.texts.length, findings }
}

if (import.meta.main) {
  const { files, findings } = tidy(resolve(import.meta.dirname, '..'))
  for (const { path, line, wrong, fix } of findings) console.log(`${path}:${line}  ${wrong}\n    fix: ${fix}`)
  console.log(
    findings.length === 0 ? `Tidy: ${files} files.` : `${findings.length} findings in ${files} files.`,
  )
  process.exitCode = findings.length === 0 ? 0 : 1
}
