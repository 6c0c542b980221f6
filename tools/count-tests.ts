// Prints `N passed, N failed` from the results that vitest left at TEST_RESULTS, for those who read no colours.
import { existsSync, readFileSync } from 'node:fs'

const path = process.env.TEST_RESULTS ?? ''

if (existsSync(path)) {
  const { numPassedTests, numFailedTests, testResults, success } = JSON.parse(readFileSync(path, 'utf8'))
  // A file that broke before its first test counts as one failure; its suite alone says so.
  const broken = testResults.filter(
    (file: { status: string; assertionResults: unknown[] }) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  // An error outside every test fails the run as well.
  const failed = Math.max(numFailedTests + broken, success ? 0 : 1)
  console.log(`${numPassedTests} passed, ${failed} failed`)
} else {
  console.log('The tests were not reached.')
  console.log('0 passed, 1 failed')
}
