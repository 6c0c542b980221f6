// Every code block of the guides runs in order against a gateway, and returns the shown answer.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageNames, sourceFolder } from '../../tools/docs/navigation.ts'
import { startWorld, type World } from '../world.ts'
import { type Block, type Step, stepsOf } from './blocks.ts'
import { openReader } from './reader.ts'

let world: World
beforeAll(async () => {
  world = await startWorld('pglite')
})
afterAll(() => world.stop())

/**
 * Three other tests run the rest. callbacks.test.ts runs readers' programs, test/sdk/guide.test.ts those for the SDK, and production.test.ts the operator's commands.
 */
function isRunHere({ words, file, language }: Block): boolean {
  return (
    !words.includes('no-test') &&
    !words.includes('background') &&
    !words.includes('production') &&
    file === undefined &&
    language !== 'mermaid' &&
    language !== 'ts'
  )
}

/** A page that moves the clock gets a gateway of its own, because samples of other pages say `now`. */
function movesClock(step: Step): boolean {
  return step.kind === 'block' && isRunHere(step) && /\bclock --|sandbox\/api\/clock/.test(step.text)
}

/** The blocks of this page are one program, which test/sdk/guide.test.ts runs. */
const runElsewhere = 'sdk'

const pages = pageNames()
  .filter((name) => name !== runElsewhere)
  .map((name) => ({ name, steps: stepsOf(name) }))

describe.sequential('the documentation', () => {
  it.each(pages.filter(({ steps }) => steps.length > 0))('$name is true', async ({ steps }) => {
    const own = steps.some(movesClock) ? await startWorld('pglite') : undefined
    const reader = await openReader(own ?? world)
    try {
      const wrong: string[] = []
      for (const step of steps) {
        if (step.kind === 'block' && !isRunHere(step)) continue
        wrong.push(...(await reader.follow(step)))
      }
      expect(wrong).toEqual([])
    } finally {
      await reader.close()
      await own?.stop()
    }
  })
})

it('is well formed where it cannot be run', () => {
  const blocks = pages.flatMap(({ name, steps }) =>
    steps.flatMap((step) =>
      step.kind === 'block' && step.words.includes('no-test') ? [{ name, ...step }] : [],
    ),
  )
  const wrong = blocks.flatMap(({ name, line, language, text }) => {
    try {
      if (language === 'sh') execFileSync('bash', ['-n'], { input: text, stdio: ['pipe', 'ignore', 'pipe'] })
      if (language === 'json') JSON.parse(text)
      return []
    } catch (error) {
      return [`${name}.md:${line} ${(error as Error).message}`]
    }
  })
  expect(wrong).toEqual([])
})

/** The place at which a page says how the variables of its samples are set. */
const howToSet = /quick-start\.md#2-put-the-keys-into-variables|^export COMPORTA_API_KEY=/m

it('says where the keys of its samples come from, before the first of them', () => {
  const wrong = pages.flatMap(({ name, steps }) => {
    const first = steps.find((step) => step.kind === 'block' && /\$COMPORTA_/.test(step.text))
    if (first === undefined) return []
    const lines = readFileSync(join(sourceFolder, `${name}.md`), 'utf8').split('\n')
    return howToSet.test(lines.slice(0, first.line + 1).join('\n')) ? [] : [`${name}.md:${first.line}`]
  })
  expect(wrong).toEqual([])
})
