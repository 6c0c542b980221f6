// Runs the tests of a copy of the sources. They stay loaded between runs.
import { createVitest, type TestModule } from 'vitest/node'

export interface Suite {
  changed(file: string): void
  firstFailure(files: readonly string[]): Promise<string | undefined>
  passing(files: readonly string[]): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openSuite(folder: string): Promise<Suite> {
  process.chdir(folder)
  const vitest = await createVitest('test', { root: folder, watch: false, bail: 1, reporters: [{}] })
  const passes = new Map<string, boolean>()

  async function firstFailure(files: readonly string[]): Promise<string | undefined> {
    for (const file of files) {
      vitest.state.filesMap.clear()
      vitest.state.errorsSet.clear()
      const { testModules, unhandledErrors } = await vitest.start([file])
      if (testModules.length === 0) throw new Error(`there is no test file ${file}`)
      const failed = testModules.map(failureOf).find((failure) => failure !== undefined)
      const [error = failed] = unhandledErrors
      if (error !== undefined) return `${file}: ${failed ?? error}`
    }
    return undefined
  }

  return {
    changed: (file) => vitest.invalidateFile(file),
    firstFailure,
    async passing(files) {
      for (const file of files) {
        if (passes.has(file)) continue
        const failure = await firstFailure([file])
        if (failure !== undefined) console.log(`left out, for it fails without any change: ${failure}`)
        passes.set(file, failure === undefined)
      }
      return files.filter((file) => passes.get(file) === true)
    },
    close: () => vitest.close(),
  }
}

function failureOf(module: TestModule): string | undefined {
  for (const test of module.children.allTests('failed')) return test.fullName
  const [error] = module.errors()
  return error?.message
}
