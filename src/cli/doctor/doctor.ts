// comporta doctor: looks at a set-up from its settings to its providers, and says what to mend.
import { loadConfig } from '../../config.ts'
import { urlOf } from '../../http/index.ts'
import type { CommandInput } from '../commands/command.ts'
import type { CommandResult } from '../context.ts'
import type { Session } from '../session.ts'
import { examineDatabase } from './database.ts'
import { type Finding, fine, reasonOf, type SetUp, skipped, wrong } from './finding.ts'
import { examineDataDir, examineDemo, examineDisk, examineMasterKey, examineNode } from './machine.ts'
import { examineEndpoints, examinePort, examineProviders, examinePublicAddress } from './network.ts'

/** Changes nothing. Prints each finding when it is made; exits 1 where something is wrong; warnings alone are none. */
export async function examine(session: Session, input: CommandInput): Promise<CommandResult> {
  const findings: Finding[] = []
  for await (const finding of findingsOf(session)) {
    session.stopped.throwIfAborted()
    findings.push(finding)
    if (!input.flag('json')) session.out(inWords(finding))
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

/** Why the database is not opened, where it is not: opening one that is behind or broken would change it, or only say the same again. */
function whyUnopened(base: readonly Finding[], isEmbeddedAndAlone: boolean): string | undefined {
  // The database can be read whoever reads it, and whatever its clock says.
  const harmless = ['version and clock', 'database role']
  const isSound = base.every(({ check, state }) => state === 'ok' || harmless.includes(check))
  if (!isSound) return 'the database comes first'
  return isEmbeddedAndAlone
    ? 'asked through a running gateway: opening the embedded database would change it'
    : undefined
}

/** Whom only the database knows: merchants' addresses, and providers. */
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
/** Of the longest name of a check. */
const nameWidth = 'version and clock'.length

function inWords({ check, state, detail, mend }: Finding): string {
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
