// The comporta command with the drivers of the tests.
import { pino } from 'pino'
import { runCli } from '../../src/cli/run.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { armCrashPoint, readCrash } from '../../src/kernel/crash-points.ts'
import { openGateway, serve } from '../../src/main.ts'
import { testDrivers as drivers } from './driver.ts'

const { TEST_CRASH_AT: crashAt } = process.env
const crash = crashAt === undefined ? undefined : readCrash(crashAt)
if (crash?.ok === true) armCrashPoint(crash.value)

process.exitCode = await runCli<Config>(process.argv.slice(2), {
  env: process.env,
  loadConfig,
  serve: (config) => serve(config, { create: true, drivers }),
  async openContext(config, { create }) {
    const logger = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }))
    const { commands, close } = await openGateway(config, logger, { create, drivers })
    return { context: commands, close }
  },
  out: (text) => process.stdout.write(`${text}\n`),
  untilStopped: () => new AbortController().signal,
  err: (text) => process.stderr.write(`${text}\n`),
})
