// The bill of materials: complete, and forgeries are found.
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'comporta-sbom-'))
const bill = join(folder, 'sbom.cdx.json')
const file = (name: string) => join(folder, name)

function sbom(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/sbom.ts', ...args, '--out', bill], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

function keyPair(name: string, type: 'ed25519' | 'ed448' = 'ed25519'): void {
  const { privateKey, publicKey } = generateKeyPairSync(type as 'ed25519')
  writeFileSync(file(`${name}.pem`), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(file(`${name}.pub.pem`), publicKey.export({ type: 'spki', format: 'pem' }))
}

beforeAll(() => {
  keyPair('operator')
  keyPair('other')
  keyPair('wrong', 'ed448')
  expect(sbom('make', '--key', file('operator.pem'))).toMatchObject({ status: 0 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('names every package that runs, and none for development', () => {
  const { components, bomFormat } = JSON.parse(readFileSync(bill, 'utf8')) as {
    bomFormat: string
    components: { name: string }[]
  }
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = new Set(components.map(({ name }) => name))
  expect(bomFormat).toBe('CycloneDX')
  expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([])
  expect(
    Object.keys(devDependencies).filter((name) => /^(vitest|knip|typescript)$/.test(name) && names.has(name)),
  ).toEqual([])
})

it('is verified by the public key, also with OpenSSL', () => {
  expect(sbom('check', '--key', file('operator.pub.pem'))).toMatchObject({ status: 0 })
  const signature = file('signature')
  writeFileSync(signature, Buffer.from(readFileSync(`${bill}.sig`, 'utf8'), 'base64'))
  const args = ['pkeyutl', '-verify', '-pubin', '-rawin', '-inkey', file('operator.pub.pem'), '-in', bill]
  expect(execFileSync('openssl', [...args, '-sigfile', signature], { encoding: 'utf8' })).toContain('Success')
})

it('is refused with another key, another kind of key, or a changed byte', () => {
  expect(sbom('check', '--key', file('other.pub.pem'))).toMatchObject({
    status: 1,
    text: expect.stringContaining('not signed'),
  })
  expect(sbom('make', '--key', file('wrong.pem'))).toMatchObject({
    status: 1,
    text: expect.stringContaining('must be an Ed25519 key'),
  })
  expect(sbom('make')).toMatchObject({ status: 2 })
  writeFileSync(bill, readFileSync(bill, 'utf8').replace('CycloneDX', 'CycloneDY'))
  expect(sbom('check', '--key', file('operator.pub.pem'))).toMatchObject({
    status: 1,
    text: expect.stringContaining('not signed'),
  })
})
