// A highly available cell on this machine: `npm run ha`.
import { join } from 'node:path'
import { startCell } from './cell.ts'
import { loopback } from './network.ts'
import { installParts, MissingParts } from './parts.ts'

const say = (line: string) => console.log(line)

try {
  const cell = await startCell({ parts: installParts(say), network: loopback, say })
  const { etc } = cell.machines.db1
  say(`
A cell runs: six machines in ${cell.folder}

  gateway         ${cell.publicUrl} (certificates of ${join(cell.folder, 'certificates', 'ca.crt')})
  API keys        ${join(cell.folder, 'gateway1', 'gateway', 'demo.json')}
  members         ${join(etc, 'cell.sh')} list
  switchover      ${join(etc, 'cell.sh')} switchover --force
  logs            ${join(cell.folder, '*', 'log')}

Ctrl-C ends all of it and removes the folder.`)
  let isEnding = false
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, async () => {
      if (isEnding) return
      isEnding = true
      say('Ending all parts …')
      await cell.stop()
      process.exit(0)
    })
  // A timer keeps this process alive. Open handles alone would not.
  setInterval(() => undefined, 60_000)
} catch (error) {
  console.error(error instanceof MissingParts ? error.message : error)
  process.exit(1)
}
