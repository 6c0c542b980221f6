// Records the SQL statements of this version. Run it at each release.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The code that makes statements, and its replacement, which also records the text. */
const seen: readonly (readonly [file: string, made: string, instead: string])[] = [
  ['src/storage/database.ts', '  return { text }\n', '  return { text: globalThis.seenStatement([text]) }\n'],
  ['src/storage/reads/batched.ts', '    text: `', '    text: globalThis.seenStatement`'],
]

const root = join(import.meta.dirname, '..')
const file = join(root, 'test/storage/statements-before.json')
const texts = new Set<string>()
Object.assign(globalThis, {
  seenStatement(parts: readonly string[], ...values: readonly unknown[]): string {
    const text = parts.map((part, index) => part + String(values[index] ?? '')).join('')
    texts.add(text)
    return text
  },
})
registerHooks({
  load(url, context, next) {
    const change = seen.find(([path]) => url.endsWith(path))
    if (change === undefined) return next(url, context)
    const [path, made, instead] = change
    const source = readFileSync(fileURLToPath(url), 'utf8')
    if (!source.includes(made)) throw new Error(`${path} no longer contains "${made}": update this tool`)
    return { format: 'module-typescript', source: source.replace(made, instead), shortCircuit: true }
  },
})

const dataDir = mkdtempSync(join(tmpdir(), 'comporta-statements-'))
const { loadConfig } = await import('../src/config.ts')
const { openGateway } = await import('../src/main.ts')
const { pino } = await import('pino')
for (const driver of globSync('drivers/**/*.ts', { cwd: root }))
  if (!driver.endsWith('.test.ts')) await import(join(root, driver))
const config = loadConfig({ DATA_DIR: dataDir, PORT: '18080' })
if (!config.ok) throw new Error(config.refusal.join('\n'))
// Some statements exist only after a gateway is composed.
const gateway = await openGateway(config.value, pino({ level: 'silent' }))
gateway.createApp(undefined)
await gateway.close()
rmSync(dataDir, { recursive: true, force: true })

const { coreMigrations } = await import('../src/storage/migrations/index.ts')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const statements = [...texts]
  .map((text) => (text.includes('--') ? text : text.replaceAll(/\s+/g, ' ')).trim())
  .filter((text) => /^(with|select|insert|update|delete)\b/.test(text))
  .toSorted()
const migrations = Object.keys(coreMigrations.steps)
writeFileSync(file, `${JSON.stringify({ version, lastMigration: migrations.at(-1), statements }, null, 2)}\n`)
process.stdout.write(`${statements.length} statements of ${version} written to ${file}\n`)
