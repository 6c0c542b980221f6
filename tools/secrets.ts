// Search for secrets in all files, or in the history: `npm run -s secrets [-- --history]`.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { reasonFor, skipped } from './secrets/allowed.ts'
import { findingsIn } from './secrets/patterns.ts'

const root = join(import.meta.dirname, '..')

function unexplained(line: string, place: string): string[] {
  return findingsIn(line)
    .filter(({ text }) => reasonFor(text) === undefined)
    .map(({ kind, text }) => `${kind} in ${place}: ${text.slice(0, 12)}…`)
}

function isSkipped(path: string): boolean {
  return skipped.some((end) => path.endsWith(end))
}

export function secretsInFiles(folder = root): { readonly files: number; readonly findings: string[] } {
  const listed = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], { cwd: folder })
  const paths = [...new Set(listed.toString().split('\0'))].filter(
    (path) => path !== '' && !isSkipped(path) && existsSync(join(folder, path)),
  )
  const texts = paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const)
  const findings = texts
    .filter(([, text]) => !text.includes('\0'))
    .flatMap(([path, text]) => text.split('\n').flatMap((line, at) => unexplained(line, `${path}:${at + 1}`)))
  return { files: paths.length, findings }
}

export async function secretsInHistory(
  folder = root,
): Promise<{ readonly commits: number; readonly findings: string[] }> {
  const args = ['log', '-p', '-U0', '--no-color', '--no-renames', '--format=commit %h', 'HEAD']
  const git = spawn('git', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => git.on('close', resolve))
  const seen = new Set<string>()
  const findings: string[] = []
  let [commits, commit, path] = [0, '', '']
  for await (const line of createInterface({ input: git.stdout })) {
    if (line.startsWith('commit ')) {
      commits += 1
      commit = line.slice('commit '.length)
    } else if (line.startsWith('+++ ')) path = line.slice('+++ b/'.length)
    else if (line.startsWith('+') && !isSkipped(path) && !seen.has(line)) {
      seen.add(line)
      findings.push(...unexplained(line.slice(1), `${commit} ${path}`))
    }
  }
  if ((await ended) !== 0) throw new Error('git log failed')
  return { commits, findings }
}

if (import.meta.main) {
  const { files, findings } = secretsInFiles()
  const history = process.argv.includes('--history') ? await secretsInHistory() : undefined
  const all = [...findings, ...(history?.findings ?? [])]
  for (const finding of all) console.log(finding)
  const looked = `${files} files${history === undefined ? '' : `, ${history.commits} commits`}`
  console.log(`${looked}: ${all.length === 0 ? 'no secrets' : `${all.length} that nobody has explained`}`)
  process.exitCode = all.length === 0 ? 0 : 1
}
