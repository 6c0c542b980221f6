// The comporta command: starts the gateway, or does one thing to it.
import { pino } from 'pino'
import { runCli } from './cli/run.ts'
import { composeGateway } from './compose.ts'
import { type Config, loadConfig } from './config.ts'
import { openGround } from './ground.ts'
import { serve } from './main.ts'

process.exitCode = await runCli<Config>(process.argv.slice(2), {
  env: process.env,
  loadConfig,
  serve,
  async openContext(config) {
    // Answers go to standard output, so whatever is logged meanwhile must not.
    const logger = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }))
    const gateway = composeGateway(await openGround(config, logger))
    return { context: gateway.commands, close: gateway.close }
  },
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
