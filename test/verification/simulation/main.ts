// Simulation of many seeds: `npm run simulate`.
import { fork } from 'node:child_process'
import { type PostgresServer, startPostgres } from '../../postgres-server.ts'
import type { Report } from './job.ts'
import { prepareDatabase, serverSettings } from './machine/server.ts'
import { type Options, readOptions, usage } from './options.ts'

const jobFile = new URL('./job.ts', import.meta.url)

interface Totals {
  seeds: number
  failed: number
  asked: number
  requests: number
  deaths: number
  processorMs: number
}

async function simulate(options: Options): Promise<boolean> {
  const began = performance.now()
  const totals: Totals = { seeds: 0, failed: 0, asked: 0, requests: 0, deaths: 0, processorMs: 0 }
  const jobs = Math.min(options.jobs, options.seeds)
  const server = options.postgres ? await startPostgres({ settings: serverSettings }) : undefined
  let codes: (number | null)[]
  try {
    codes = await Promise.all(
      Array.from({ length: jobs }, async (_, job) => {
        const url = server && (await makeDatabase(server, `simulation_${job}`))
        return runJob({ ...options, jobs }, job, url, totals)
      }),
    )
  } finally {
    await server?.stop()
  }
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)
  console.log(
    `${totals.seeds} seeds of ${options.operations} operations in ${seconds(performance.now() - began)} s ` +
      `(${seconds(totals.processorMs)} s of processors): ${totals.requests} requests, ${totals.asked} statements and ` +
      `calls, ${totals.deaths} deaths, ${totals.failed} failed`,
  )
  const unfinished = codes.some((code) => code !== 0)
  if (unfinished) console.log('a process that runs seeds ended before its time')
  return totals.failed === 0 && !unfinished
}

async function makeDatabase(server: PostgresServer, name: string): Promise<string> {
  await server.createDatabase(name)
  await prepareDatabase(server.url(name))
  return server.url(name)
}

/** Runs every `jobs`th seed in a separate process, because a simulation replaces global functions. */
function runJob(
  options: Options,
  job: number,
  url: string | undefined,
  totals: Totals,
): Promise<number | null> {
  const child = fork(jobFile, [JSON.stringify(options), String(job), ...(url === undefined ? [] : [url])], {
    // Most objects are short-lived, so a larger young generation saves a twentieth of the time.
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'],
  })
  child.on('message', (report: Report) => {
    if (report.kind === 'failure') {
      console.log(report.text)
      return
    }
    totals.seeds += 1
    totals.failed += report.failed ? 1 : 0
    totals.asked += report.asked
    totals.requests += report.requests
    totals.deaths += report.deaths
    totals.processorMs += report.tookMs
  })
  return new Promise((resolve) => child.once('exit', resolve))
}

try {
  process.exitCode = (await simulate(readOptions(process.argv.slice(2)))) ? 0 : 1
} catch (error) {
  if (!(error instanceof TypeError)) throw error
  console.error(`${error.message}\n${usage}`)
  process.exitCode = 2
}
