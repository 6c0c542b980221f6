// Runs the checks that are not tests side by side, and prints what each says once it has ended: `npm run checks`.
import { spawn } from 'node:child_process'
import { installTools } from './tool.ts'

/** Scripts of package.json; the longest comes first. */
const scripts = ['types', 'lint', 'tidy', 'dead', 'spec', 'plan']

/** Runs one script; answers whether it passed. */
function passes(script: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', script], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(output))
      resolve(code === 0)
    })
  })
}

// Once, before two scripts do it at the same time.
installTools()
const passed = await Promise.all(scripts.map(passes))
const failed = scripts.filter((_, index) => !passed[index])
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
