// Gateways on one database, which the soak kills, suspends and restarts.
import { freePort } from '../../free-port.ts'
import { type GatewayProcess, startGatewayProcess } from '../../gateway-process.ts'

interface Member {
  readonly dataDir: string
  readonly port: number
  gateway: GatewayProcess | undefined
  isSuspended: boolean
  begun: Promise<void>
}

export interface Fleet {
  next(): number | undefined
  readonly size: number
  kill(which: number): Promise<boolean>
  suspend(which: number, seconds: number, isOver: () => boolean): Promise<boolean>
  allUp(): Promise<void>
  errors(): string[]
  stop(): Promise<void>
}

const pauseMs = 300
const unawareEvery = 10
const startTriesMax = 200

export async function startFleet(
  dataDirs: readonly string[],
  databaseUrl: string,
  environment: Readonly<Record<string, string>>,
): Promise<Fleet> {
  const members: Member[] = []
  for (const dataDir of dataDirs)
    members.push({
      ...{ dataDir, port: await freePort(), gateway: undefined, isSuspended: false },
      begun: Promise.resolve(),
    })
  const printed: string[] = []
  let turn = 0

  function start(member: Member): Promise<void> {
    member.begun = begin(member)
    return member.begun
  }

  async function begin(member: Member): Promise<void> {
    const { dataDir, port } = member
    for (let round = 1; member.gateway === undefined; round++)
      try {
        member.gateway = await startGatewayProcess({ dataDir, port, databaseUrl, environment })
      } catch (error) {
        // The database is down, or was down a moment ago.
        if (round === startTriesMax) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
  }

  const oneUp = (which: number) => {
    const up = members.flatMap((member) =>
      member.gateway === undefined || member.isSuspended ? [] : [{ member, gateway: member.gateway }],
    )
    return up[which % Math.max(1, up.length)]
  }

  await Promise.all(members.map(start))
  return {
    size: members.length,
    next() {
      turn += 1
      const up = members.filter(({ gateway, isSuspended }) => gateway !== undefined && !isSuspended)
      const asked = up.length === 0 || turn % unawareEvery === 0 ? members : up
      return asked[turn % asked.length]?.port
    },
    async kill(which) {
      const one = oneUp(which)
      if (one === undefined) return false
      const { member, gateway } = one
      if (!isAlive(gateway)) printed.push(endOf(gateway))
      member.gateway = undefined
      await gateway.kill()
      printed.push(gateway.output())
      start(member).catch((error) => printed.push(String(error)))
      return true
    },
    async suspend(which, seconds, isOver) {
      const one = oneUp(which)
      if (one === undefined || members.some(({ isSuspended }) => isSuspended)) return false
      const { member, gateway } = one
      if (!isAlive(gateway)) return false
      member.isSuspended = true
      process.kill(gateway.pid, 'SIGSTOP')
      const end = performance.now() + seconds * 1000
      while (performance.now() < end && !isOver())
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      process.kill(gateway.pid, 'SIGCONT')
      member.isSuspended = false
      return true
    },
    async allUp() {
      await Promise.all(members.map(({ begun }) => begun))
      for (const member of members)
        if (member.gateway !== undefined && !isAlive(member.gateway)) {
          printed.push(endOf(member.gateway))
          member.gateway = undefined
        }
      await Promise.all(members.map(start))
    },
    errors: () => [...printed, ...members.map(({ gateway }) => gateway?.output() ?? '')].flatMap(errorsIn),
    async stop() {
      for (const { gateway } of members) await gateway?.stop()
    },
  }
}

const endedAlone = 'A gateway ended, and nobody had killed it:'

/** A start fails with this while the database is down. The fleet then tries again. */
const databaseAway = 'the database cannot be reached'
const shownMax = 2_000

function endOf(gateway: GatewayProcess): string {
  const output = gateway.output().trimEnd()
  return output.endsWith(databaseAway) ? '' : `${endedAlone} ${JSON.stringify(output.slice(-shownMax))}`
}

function isAlive({ pid }: GatewayProcess): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function errorsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.includes('19999') || line.startsWith(endedAlone) || line.includes('"level":60'))
}
