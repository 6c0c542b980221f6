// comporta doctor: looks at a set-up from its settings to its providers, and says what to mend.
import { loadConfig } from '../../config.ts'
import type { CommandResult } from '../context.ts'
import type { Session } from '../remote/session.ts'
import { examineDatabase } from './database.ts'
import { type Finding, fine, reasonOf, type SetUp, skipped, wrong } from './finding.ts'
import { examineDataDir, examineDemo, examineDisk, examineMasterKey, examineNode } from './machine.ts'
import { examineEndpoints, examinePort, examineProviders, examinePublicAddress } from './network.ts'

/** Changes nothing. Exits 1 where something is wrong; warnings alone are none. */
export async function examine({ env, inside }: Session): Promise<CommandResult> {
  const config = loadConfig(env)
  const findings = [examineNode()]
  if (!config.ok) {
    findings.push(
      ...config.refusal.map((problem) => wrong('settings', problem, 'change it in the environment')),
    )
    return answer(findings)
  }
  const { mode, host, port } = config.value
  findings.push(fine('settings', `${mode} mode`))
  const baseUrl = config.value.baseUrl ?? `http://${host}:${port}`
  const setUp: SetUp = { config: config.value, baseUrl, inside }
  findings.push(
    await examineDataDir(setUp),
    await examineDisk(setUp),
    await examineMasterKey(setUp),
    ...(await examineDatabase(setUp)),
    examineDemo(setUp),
  )
  const portFinding = await examinePort(setUp)
  const isRunning = portFinding.detail.startsWith('a gateway is ready')
  findings.push(portFinding, ...(await examinePublicAddress(setUp, isRunning)))
  // Opening a database that is behind or broken would change it, or only say the same again.
  const isSound = findings.every(({ check, state }) => state === 'ok' || !needed.has(check))
  if (isSound) {
    findings.push(...(await examineEndpoints(setUp).catch(asFinding('callbacks'))))
    findings.push(...(await examineProviders(setUp).then((one) => [one], asFinding('providers'))))
  } else {
    findings.push(
      skipped('callbacks', 'the database comes first'),
      skipped('providers', 'the database comes first'),
    )
  }
  return answer(findings)
}

/** Without these the database is not opened. */
const needed: ReadonlySet<string> = new Set(['data folder', 'disk', 'master key', 'database', 'migrations'])

function asFinding(check: string): (error: unknown) => Finding[] {
  return (error) => [wrong(check, reasonOf(error), 'see the log of the gateway')]
}

const signs = { ok: '✓', warning: '!', wrong: '✗', skipped: '-' } as const

function answer(findings: readonly Finding[]): CommandResult {
  const bad = findings.filter(({ state }) => state === 'wrong').length
  const doubtful = findings.filter(({ state }) => state === 'warning').length
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, detail, mend }) => [
    `${signs[state]} ${check.padEnd(width)}  ${detail}`,
    ...(mend === undefined ? [] : [`  ${' '.repeat(width)}  → ${mend}`]),
  ])
  const verdict =
    bad > 0
      ? `${bad} wrong, ${doubtful} to look at.`
      : doubtful > 0
        ? `${doubtful} to look at.`
        : 'All is well.'
  return {
    json: { ok: bad === 0, findings },
    text: [...lines, '', verdict].join('\n'),
    exitCode: bad > 0 ? 1 : 0,
  }
}
