// Generates sdk/src/generated from the OpenAPI document.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generatedSources } from './sources.ts'

const root = join(import.meta.dirname, '..', '..')

const pauseMs = 100

async function readDocument(): Promise<unknown> {
  const dataDir = mkdtempSync(join(tmpdir(), 'comporta-sdk-'))
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'fatal' }
  const gateway = spawn(process.execPath, [join(root, 'bin', 'comporta.js'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  gateway.stdout.on('data', (text) => {
    output += text
  })
  try {
    while (gateway.exitCode === null) {
      const [address] = /(?<=sandbox mode at )http:\/\/[\w.]+:\d+/.exec(output) ?? []
      const answer = await fetch(`${address}/openapi.json`).catch(() => undefined)
      if (answer?.ok) return await answer.json()
      await pause(pauseMs)
    }
    throw new Error('the gateway ended before it was ready')
  } finally {
    gateway.kill('SIGTERM')
    if (gateway.exitCode === null) await once(gateway, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const folder = join(root, 'sdk', 'src', 'generated')
for (const [name, text] of Object.entries(await generatedSources(await readDocument())))
  writeFileSync(join(folder, name), text)
