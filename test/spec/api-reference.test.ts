// The API reference as a product: complete, in order by a linter's rules, and true.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../world.ts'
import { lackingIn, type ReferenceDocument, readDocument, undescribed } from './reference/document.ts'

let world: World
let document: ReferenceDocument

beforeAll(async () => {
  world = await startWorld()
  document = await readDocument(world)
})
afterAll(() => world.stop())

it('names, describes and shows by an example every operation, its errors and every property', () => {
  expect(document.operations.length).toBeGreaterThan(45)
  expect(document.operations.flatMap((operation) => lackingIn(document, operation))).toEqual([])
  const ids = document.operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('describes every schema that has a name, and every property of the callbacks', () => {
  const { schemas } = document.json.components
  const bare = Object.keys(schemas).filter((name) => !schemas[name].description)
  expect(bare).toEqual([])
  for (const name of Object.keys(schemas))
    expect([name, undescribed(document.schema(schemas[name]), '')]).toEqual([name, []])
})

it('shows nothing of the keywords that only our own code reads', () => {
  expect(document.text).not.toMatch(/"x-(read-as|else-at|also-as|documented|here|card-data|absent)/)
})

it('is in order by all recommended rules of a linter, its examples among them', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: document.text, config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})
