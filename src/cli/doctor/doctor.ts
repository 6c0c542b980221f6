// The command doctor: checks of a set-up, from settings to providers.
import { loadConfig } from '../../config.ts'
import { urlOf } from '../../http/index.ts'
import type { CommandInput } from '../commands/command.ts'
import type { CommandResult } from '../context.ts'
import type { Session } from '../session.ts'
import { examineDatabase } from './database.ts'
import { type Finding, fine, reasonOf, type SetUp, skipped, wrong } from './finding.ts'
import { examineDataDir, examineDemo, examineDisk, examineMasterKey, examineNode } from './machine.ts'
import { examineEndpoints, examinePort, examineProviders, examinePublicAddress } from './network.ts'

/** Changes nothing. Prints each finding at once. Exits with 1 if something is wrong. */
export async function examine(session: Session, input: CommandInput): Promise<CommandResult> {
  const findings: Finding[] = []
  for await (const finding of findingsOf(session)) {
    session.stopped.throwIfAborted()
    findings.push(finding)
    if (!input.flag('json')) session.out(textOf(finding))
  }
  return verdictOn(findings)
}

async function* findingsOf({ env, inside, stopped }: Session): AsyncGenerator<Finding> {
  yield examineNode()
  const config = loadConfig(env)
  if (!config.ok) {
    for (const problem of config.refusal) yield wrong('settings', problem, 'change it in the environment')
    return
  }
  const { mode, host, port } = config.value
  yield fine('settings', `${mode} mode`)
  const baseUrl = config.value.baseUrl ?? `${urlOf(host)}:${port}`
  const setUp: SetUp = { config: config.value, baseUrl, stopped, inside }
  const folder = await examineDataDir(setUp)
  const base = [folder.finding]
  yield folder.finding
  for (const examineOne of [examineDisk, examineMasterKey, examineDatabase]) {
    const found = [await examineOne(setUp)].flat()
    base.push(...found)
    yield* found
  }
  yield examineDemo(setUp)
  const { finding, isRunning } = await examinePort(setUp, folder.holder)
  yield finding
  yield* await examinePublicAddress(setUp, isRunning)
  yield* await examineOthers(setUp, whyUnopened(base, folder.holder === 'nobody'))
}

/** The reason why the database is not opened: a gateway that opens it could change or migrate it. */
function whyUnopened(base: readonly Finding[], isEmbeddedAndAlone: boolean): string | undefined {
  // With these findings the database can still be read.
  const harmless = ['version and clock', 'database role']
  const isSound = base.every(({ check, state }) => state === 'ok' || harmless.includes(check))
  if (!isSound) return 'first correct the database'
  return isEmbeddedAndAlone
    ? 'checked only while the gateway runs, because opening the embedded database would change it'
    : undefined
}

async function examineOthers(setUp: SetUp, skippedBecause: string | undefined): Promise<Finding[]> {
  if (skippedBecause !== undefined)
    return [skipped('callbacks', skippedBecause), skipped('providers', skippedBecause)]
  return [
    ...(await examineEndpoints(setUp).catch(asFinding('callbacks'))),
    ...(await examineProviders(setUp).then((one) => [one], asFinding('providers'))),
  ]
}

function asFinding(check: string): (error: unknown) => Finding[] {
  return (error) => [wrong(check, reasonOf(error), 'see the log of the gateway')]
}

const signs = { ok: '✓', warning: '!', wrong: '✗', skipped: '-' } as const
const nameWidth = 'version and clock'.length

function textOf({ check, state, detail, mend }: Finding): string {
  const line = `${signs[state]} ${check.padEnd(nameWidth)}  ${detail}`
  return mend === undefined ? line : `${line}\n  ${' '.repeat(nameWidth)}  → ${mend}`
}

function verdictOn(findings: readonly Finding[]): CommandResult {
  const bad = findings.filter(({ state }) => state === 'wrong').length
  const doubtful = findings.filter(({ state }) => state === 'warning').length
  const verdict =
    bad > 0
      ? `${bad} wrong, ${doubtful} to look at.`
      : doubtful > 0
        ? `${doubtful} to look at.`
        : 'All is well.'
  return {
    json: { ok: bad === 0, findings },
    text: `\n${verdict}`,
    exitCode: bad > 0 ? 1 : 0,
    isReport: true,
  }
}
