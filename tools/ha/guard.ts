// Ends a cell after its starter has ended, even after a crash: `node guard.ts <folder>`.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { killIn } from './processes.ts'

const [, , folder = ''] = process.argv

// A terminal sends these signals to all its processes. Only the starter decides when the cell ends.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined)
// The starter holds the other end of this stream. When it ends, the kernel closes the stream.
process.stdin.resume().on('close', () => {
  killIn(folder)
  for (const place of mountsIn(folder)) execFileSync('umount', ['--lazy', place])
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

function mountsIn(parent: string): string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((place) => place.startsWith(`${parent}/`))
}
