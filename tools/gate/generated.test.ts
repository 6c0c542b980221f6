// Generated files are up to date, and the API reference passes a linter.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../../test/world.ts'
import { outlinesFile, traceWords } from '../brand/trace-words.ts'
import { generatedSources } from '../sdk/sources.ts'

const root = join(import.meta.dirname, '..', '..')

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

it('the API reference and its examples pass all recommended rules of a linter', async () => {
  const { text: source } = await world.request('/openapi.json')
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  const faulty = await lintFromString({ source: source.replace('"operationId"', '"operationID"'), config })
  expect(faulty.length).toBeGreaterThan(0)
})

it('the SDK is up to date: else npm run generate -w sdk', async () => {
  const { body } = await world.request('/openapi.json')
  for (const [name, text] of Object.entries(await generatedSources(body)))
    expect([name, readFileSync(join(root, 'sdk/src/generated', name), 'utf8') === text]).toEqual([name, true])
})

it('the outlines of the words are up to date: else npm run pictures', () => {
  expect([outlinesFile, readFileSync(join(root, outlinesFile), 'utf8') === traceWords()]).toEqual([
    outlinesFile,
    true,
  ])
})
