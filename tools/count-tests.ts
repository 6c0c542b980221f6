// Failed tests and totals of a vitest run, without colours.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

interface TestFile {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly TestResult[]
}

interface TestResult {
  readonly status: string
  readonly fullName: string
  readonly failureMessages?: readonly string[]
}

const messageLinesMax = 12
const lineLengthMax = 300
const frameOfPackage = /^\s+at .*(node_modules|node:)/
const path = process.env.TEST_RESULTS ?? ''

if (existsSync(path)) {
  const results = JSON.parse(readFileSync(path, 'utf8'))
  const files: readonly TestFile[] = results.testResults
  const broken = files.filter(
    ({ status, assertionResults: tests }) => status === 'failed' && tests.length === 0,
  )
  for (const { name, message } of broken) printFailure(name, message)
  for (const { name, assertionResults } of files) {
    for (const { status, fullName, failureMessages = [] } of assertionResults) {
      if (status === 'failed')
        printFailure(`${relative(process.cwd(), name)} > ${fullName}`, failureMessages.join('\n'))
    }
  }
  const failed = Math.max(results.numFailedTests + broken.length, results.success ? 0 : 1)
  console.log(`${results.numPassedTests} passed, ${failed} failed`)
} else {
  console.log('The tests were not reached.')
  console.log('0 passed, 1 failed')
}

function printFailure(test: string, message: string): void {
  console.log(`failed: ${test}`)
  const lines = message.split('\n').filter((line) => !frameOfPackage.test(line))
  for (const line of lines.slice(0, messageLinesMax)) console.log(`    ${line.slice(0, lineLengthMax)}`)
}
