// The checks that are not tests, in parallel: `npm run checks`.
import { spawn } from 'node:child_process'
import { installTools } from './tool.ts'

const scripts = ['types', 'lint', 'tidy', 'dead', 'words', 'spec', 'plan']

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

// Installs the tools first, because two scripts at once would both try it.
installTools()
const passed = await Promise.all(scripts.map(passes))
const failed = scripts.filter((_, index) => !passed[index])
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
