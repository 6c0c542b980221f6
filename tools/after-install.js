// Finishes npm ci in a clone: links `npx comporta`, removes files of packages that nothing uses.
import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = join(root, 'node_modules')
const command = join(root, 'bin', 'comporta.js')
const nodeMajorMin = 24

/** Paths below node_modules that neither Node nor a type check nor a build reads. */
const unused = [
  // Headers and manuals of Node, a third of its package.
  /^node-[^/]+\/(include|share)$/,
  // Source maps, and the sources that they name.
  /\.[cm]?(js|ts|css)\.map$/,
  /(?<!\.d|\.d\.\w+)\.[cm]?tsx?$/,
  // Types for CommonJS: all of our code is modules.
  /\.d\.cts$/,
  // Libraries for another runtime, Bare.
  /\.bare$/,
  /^(@[^/]+\/)?[^/]+\/(test|docs)$/,
  /^(?!.*(licen[cs]e|notice)[^/]*$).*\.md$/i,
]

// The Node of the packages is first on the path of npm's scripts, so a lower version here says that there is none.
if (Number(process.versions.node.split('.')[0]) < nodeMajorMin)
  console.warn(
    `No package of Node was installed for ${process.platform} ${process.arch}: install Node ${nodeMajorMin} or newer.`,
  )

// An install never fails because of a convenience: the command also runs as `node bin/comporta.js`.
attempt('npx comporta is not linked', () => {
  const folder = join(packages, '.bin')
  if (!existsSync(folder) || !existsSync(command)) return
  chmodSync(command, 0o755)
  rmSync(join(folder, 'comporta'), { force: true })
  // npm links the commands of dependencies only, never the project's own.
  symlinkSync(join('..', '..', 'bin', 'comporta.js'), join(folder, 'comporta'))
})

// A fifth of what is installed. A folder that cannot be written to keeps it.
attempt('unused files of packages are still there', () => {
  if (existsSync(packages)) removeUnused('')
})

/** Never enters a link: the folder of the SDK is one. */
function removeUnused(folder) {
  for (const entry of readdirSync(join(packages, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (unused.some((pattern) => pattern.test(path)))
      rmSync(join(packages, path), { recursive: true, force: true })
    else if (entry.isDirectory()) removeUnused(path)
  }
}

function attempt(failure, act) {
  try {
    act()
  } catch (error) {
    console.warn(`${failure} (${error instanceof Error ? error.message : error})`)
  }
}
