// Names each test that passed only when it was run again, so that a second chance is never silent.
import type { Reporter, TestCase } from 'vitest/node'

/** Says at the end of the run which tests were run twice, and why the first run failed. */
export default class RetriedReporter implements Reporter {
  readonly #retried: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { retryCount = 0 } = test.diagnostic() ?? {}
    if (retryCount === 0 || test.result().state !== 'passed') return
    const reasons = (test.result().errors ?? []).map(({ message }) => message.split('\n')[0])
    this.#retried.push(`${test.module.relativeModuleId} > ${test.fullName}: ${reasons.join('; ')}`)
  }

  onTestRunEnd(): void {
    for (const line of this.#retried) console.log(`NEEDED A SECOND RUN: ${line}`)
  }
}
