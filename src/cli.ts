// The comporta command.
import { runCli } from './cli/run.ts'
import { type Config, loadConfig } from './config.ts'

const stop = new AbortController()
// A program that reads the output, such as `head`, may close the pipe early.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0)
})

// The gateway is loaded only if a command needs it, so that help and errors are fast.
process.exitCode = await runCli<Config>(process.argv.slice(2), {
  env: process.env,
  loadConfig,
  async serve(config) {
    const [{ serve }, { buildPages }] = await Promise.all([import('./main.ts'), import('./build-pages.ts')])
    return serve(config, { create: true, onListening: buildPages })
  },
  async openContext(config, { create }) {
    const [{ pino }, { openGateway }] = await Promise.all([import('pino'), import('./main.ts')])
    // Logs go to standard error, because standard output is for answers.
    const logger = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }))
    const { commands, close } = await openGateway(config, logger, { create })
    return { context: commands, close }
  },
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  untilStopped() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    return stop.signal
  },
})
