// Runs the comporta command in the process of the test.
import { pino } from 'pino'
import type { CommandContext } from '../src/cli/context.ts'
import { runCli } from '../src/cli/run.ts'
import { type Config, loadConfig } from '../src/config.ts'
import { openGateway } from '../src/main.ts'

export interface EndedCommand {
  readonly code: number
  readonly text: string
}

/**
 * Runs `comporta <args>` as the program does, without starting a process.
 *
 * @param env the settings, such as `DATA_DIR`
 * @param context of a gateway that is open in this process; absent: the command asks the gateway of `DATA_DIR`, or
 *   opens the database
 */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  context?: CommandContext,
): Promise<EndedCommand> {
  let text = ''
  const code = await runCli<Config>(args, {
    env,
    loadConfig,
    async openContext(config, { create }) {
      if (context !== undefined) return { context, close: async () => undefined }
      const { commands, close } = await openGateway(config, pino({ level: 'silent' }), { create })
      return { context: commands, close }
    },
    serve: () => Promise.reject(new Error('tests start gateways by startWorld and openWorld')),
    out: (line) => {
      text += `${line}\n`
    },
    err: () => undefined,
    untilStopped: () => new AbortController().signal,
  })
  return { code, text }
}
