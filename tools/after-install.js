// Runs at the end of npm ci: links `npx comporta` and removes unused files.
import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = join(root, 'node_modules')
const command = join(root, 'bin', 'comporta.js')
const nodeMajorMin = 24

/** Files in node_modules that Node, the type check and the builds never read. */
const unused = [
  /^node-[^/]+\/(include|share)$/,
  /\.[cm]?(js|ts|css)\.map$/,
  /(?<!\.d|\.d\.\w+)\.[cm]?tsx?$/,
  // Types for CommonJS. All our code is ES modules.
  /\.d\.cts$/,
  /\.bare$/,
  /^(@[^/]+\/)?[^/]+\/(test|docs)$/,
  /^(?!.*(licen[cs]e|notice)[^/]*$).*\.md$/i,
]

// npm's scripts use the Node of the packages if it is there, so a lower version means that it is missing.
if (Number(process.versions.node.split('.')[0]) < nodeMajorMin)
  console.warn(
    `No package of Node was installed for ${process.platform} ${process.arch}: install Node ${nodeMajorMin} or newer.`,
  )

// A failure must not stop the installation, because the command also runs as `node bin/comporta.js`.
attempt('npx comporta is not linked', () => {
  const folder = join(packages, '.bin')
  if (!existsSync(folder) || !existsSync(command)) return
  chmodSync(command, 0o755)
  rmSync(join(folder, 'comporta'), { force: true })
  // npm links only the commands of dependencies, so this links our own.
  symlinkSync(join('..', '..', 'bin', 'comporta.js'), join(folder, 'comporta'))
})

// These files are a fifth of the installed bytes. In a read-only folder they stay.
attempt('unused files of packages are still there', () => {
  if (existsSync(packages)) removeUnused('')
})

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
