// Makes and checks the signed bill of materials: `node tools/sbom.ts make|check` (docs/deploying.md).
import { execFileSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lockedPackages, nameOf, runs } from './dependencies/lock.ts'

const root = join(import.meta.dirname, '..')
const usage = `node tools/sbom.ts make --key <private key, PEM> [--out sbom.cdx.json]
node tools/sbom.ts check --key <public key, PEM> [--out sbom.cdx.json]`

interface Bill {
  metadata: { component: { 'bom-ref': string } }
  components: { 'bom-ref': string; name: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Lists every package of the image, as CycloneDX. It reads the lock file, because `npm sbom --omit dev` also leaves
 * out pg: another package uses pg for its own development.
 */
function billOfMaterials(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const bill = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as Bill
  const running = lockedPackages(root).filter(([, locked]) => runs(locked))
  const refs = new Set(running.map(([path, locked]) => `${nameOf(path, locked)}@${locked.version}`))
  refs.add(bill.metadata.component['bom-ref'])
  const kept = (ref: string) => refs.has(ref)
  const components = bill.components
    .filter((each) => refs.has(each['bom-ref']))
    .map((each) => ({ ...each, name: each['bom-ref'].replace(/@[^@]*$/, '') }))
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(kept) }))
  return `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`
}

function keyFrom(file: string, make: (pem: Buffer) => KeyObject): KeyObject {
  const key = make(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`${file} must be an Ed25519 key, such as openssl genpkey -algorithm ed25519 makes`)
  return key
}

function main(): number {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, out: { type: 'string', default: 'sbom.cdx.json' } },
  })
  const [verb] = positionals
  const { key, out } = values
  const signatureFile = `${out}.sig`
  if (key === undefined || (verb !== 'make' && verb !== 'check')) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  if (verb === 'make') {
    // Reads the key first, so that nothing is written if it is missing.
    const signing = keyFrom(key, createPrivateKey)
    const bill = billOfMaterials()
    writeFileSync(out, bill)
    writeFileSync(signatureFile, `${sign(null, Buffer.from(bill), signing).toString('base64')}\n`)
    process.stdout.write(`${out} and ${signatureFile} written\n`)
    return 0
  }
  const signature = Buffer.from(readFileSync(signatureFile, 'utf8'), 'base64')
  const genuine = verify(null, readFileSync(out), keyFrom(key, createPublicKey), signature)
  const words = genuine
    ? 'is signed by the owner of the key'
    : 'is not signed by the owner of the key, or was changed'
  process.stdout.write(`${out} ${words}\n`)
  return genuine ? 0 : 1
}

try {
  process.exitCode = main()
} catch (error) {
  process.stderr.write(`sbom: ${(error as Error).message}\n`)
  process.exitCode = 1
}
