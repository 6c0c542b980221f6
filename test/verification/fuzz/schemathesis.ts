// Runs schemathesis, which makes requests from the OpenAPI document. It needs Python.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pythonWith } from '../../python.ts'
import { findingsIn, whyKnown } from './findings.ts'
import type { FuzzedGateway } from './gateway.ts'
import { makeKnown } from './known.ts'
import { kindsOf } from './requests.ts'

const run = promisify(execFile)

/** A Python with schemathesis, outside the project. Undefined without Python. */
export const pythonWithSchemathesis = () => pythonWith(['schemathesis==4.32.5'])

export interface Target {
  readonly baseUrl: string
  readonly apiKey: string
  readonly esbToken: string
  readonly paths: ReadonlyMap<string, Readonly<Record<string, string>>>
  readonly withoutEdges?: ReadonlySet<string>
}

export async function runSchemathesis(
  python: string,
  { baseUrl, apiKey, esbToken, paths, withoutEdges }: Target,
  options: readonly string[],
): Promise<{ readonly output: string; readonly passed: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-schemathesis-'))
  const config = [...paths].map(([operationId, path]) => {
    const parameters = Object.entries(path).map(([name, value]) => `"path.${name}" = "${value}"`)
    const lines = [`include-operation-id = "${operationId}"`, `parameters = { ${parameters.join(', ')} }`]
    if (withoutEdges?.has(operationId)) lines.push('phases = { coverage = { enabled = false } }')
    return ['[[operations]]', ...lines, ''].join('\n')
  })
  const file = join(folder, 'schemathesis.toml')
  writeFileSync(file, config.join('\n'))
  const asked = ['--config-file', file, 'run', `${baseUrl}/openapi.json`, '--no-color']
  const headers = [`Authorization: Comporta ${apiKey}`, `Proxy-Authorization: ESBToken=${esbToken}`]
  try {
    const { stdout } = await run(
      join(dirname(python), 'schemathesis'),
      [...asked, ...headers.flatMap((header) => ['-H', header]), ...options],
      { cwd: folder, maxBuffer: 1 << 26 },
    )
    return { output: stdout, passed: true }
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return { output: stdout + stderr, passed: false }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function fuzzBySchemathesis(gateway: FuzzedGateway, seed: string): Promise<number> {
  const python = pythonWithSchemathesis()
  if (python === undefined) {
    console.log(
      'schemathesis needs Python 3.10 or newer as python3, with venv, and a package index that pip reaches',
    )
    return 1
  }
  const [shop] = gateway.demo.merchants
  const { output, passed } = await runSchemathesis(
    python,
    {
      baseUrl: gateway.baseUrl,
      apiKey: shop.api_key,
      esbToken: shop.esb_token,
      paths: await pathsOf(gateway),
    },
    ['--checks', 'all', '--seed', seed, '--continue-on-failure'],
  )
  const findings = findingsIn(output)
  const unknown = findings.filter((finding) => whyKnown(finding) === undefined)
  for (const { operation, text } of unknown) console.log(`${operation}\n${text}`)
  const counts = new Map<string, number>()
  for (const why of findings.map(whyKnown)) if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
  for (const [why, count] of counts) console.log(`${count} known: ${why}`)
  console.log(output.slice(output.lastIndexOf('Test cases:')))
  const isUnread = !passed && findings.length === 0
  if (isUnread) console.log(output)
  return unknown.length > 0 || isUnread ? 1 : 0
}

async function pathsOf(gateway: FuzzedGateway): Promise<Target['paths']> {
  const known = await makeKnown(gateway)
  const answer = await fetch(`${gateway.baseUrl}/openapi.json`)
  const { paths } = (await answer.json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const parametersOf = (path: string) =>
    [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => {
      const value = known.valueOf(`own.${kindsOf(path, name)[0]}`)
      return value === undefined ? [] : [[name, value]]
    })
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map(
        ({ operationId }) => [operationId, Object.fromEntries(parametersOf(path))] as const,
      ),
    ),
  )
}
