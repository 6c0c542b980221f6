// Finishes npm ci in a clone: links `npx comporta`, removes files of packages that nothing uses.
import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = join(root, 'node_modules')
const command = join(root, 'bin', 'comporta.js')

/** Paths below node_modules: the headers and manuals of Node, source maps, and tests of packages. */
const unused = [
  /^node\/node_modules\/[^/]+\/(include|share|CHANGELOG\.md)$/,
  /\.[cm]?(js|ts|css)\.map$/,
  /^(@[^/]+\/)?[^/]+\/test$/,
]

// An install never fails because of a convenience: the command also runs as `node bin/comporta.js`.
attempt('npx comporta is not linked', () => {
  const folder = join(packages, '.bin')
  if (!existsSync(folder) || !existsSync(command)) return
  chmodSync(command, 0o755)
  rmSync(join(folder, 'comporta'), { force: true })
  // npm links the commands of dependencies only, never the project's own.
  symlinkSync(join('..', '..', 'bin', 'comporta.js'), join(folder, 'comporta'))
})

// A quarter of what is installed. A folder that cannot be written to keeps it.
attempt('unused files of packages are still there', () => {
  if (!existsSync(packages)) return
  for (const path of readdirSync(packages, { recursive: true }).map(String))
    if (unused.some((pattern) => pattern.test(path.replaceAll('\\', '/'))))
      rmSync(join(packages, path), { recursive: true, force: true })
})

function attempt(failure, act) {
  try {
    act()
  } catch (error) {
    console.warn(`${failure} (${error instanceof Error ? error.message : error})`)
  }
}
