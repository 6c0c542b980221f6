// The tests of a copy of the sources, which stay loaded: what changes between two runs is read anew.
import { createVitest, type TestModule, type Vitest } from 'vitest/node'

export interface Suite {
  /** Runs test files of the copy; the first failure, or undefined. */
  firstFailure(files: readonly string[], changed: readonly string[]): Promise<string | undefined>
  close(): Promise<void>
}

/** Opens the tests of the copy of the project in `folder`, with their databases. */
export async function openSuite(folder: string): Promise<Suite> {
  process.chdir(folder)
  const vitest = await createVitest('test', { root: folder, watch: false, bail: 1, reporters: [{}] })
  return {
    async firstFailure(files, changed) {
      for (const file of changed) vitest.invalidateFile(file)
      for (const file of files) {
        vitest.state.filesMap.clear()
        vitest.state.errorsSet.clear()
        const { testModules, unhandledErrors } = await vitest.start([file])
        const failed = testModules.map(failureOf).find((failure) => failure !== undefined)
        if (failed !== undefined) return `${file}: ${failed}`
        if (unhandledErrors.length > 0) return `${file}: ${unhandledErrors[0]}`
        if (testModules.length === 0) throw new Error(`there is no test file ${file}`)
      }
      return undefined
    },
    close: () => closeAll(vitest),
  }
}

async function closeAll(vitest: Vitest): Promise<void> {
  await vitest.close()
}

function failureOf(module: TestModule): string | undefined {
  for (const test of module.children.allTests('failed')) return test.fullName
  const [error] = module.errors()
  return error?.message
}
