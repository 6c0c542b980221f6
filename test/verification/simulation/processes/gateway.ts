// A gateway in a simulated process, from its start to its death.
import type { Logger } from 'pino'
import { RailFault } from '../../../../sandbox/chaos/rails.ts'
import { updateOffset } from '../../../../sandbox/clock/store.ts'
import { openSandbox } from '../../../../sandbox/index.ts'
import { composeGateway, type Gateway } from '../../../../src/compose.ts'
import type { Config } from '../../../../src/config.ts'
import type { App } from '../../../../src/http/index.ts'
import type { Randomness } from '../../../../src/kernel/random.ts'
import { systemClock } from '../../../../src/kernel/time.ts'
import type { Notices } from '../../../../src/rails/index.ts'
import type { Database, LiveKeyring, Statement } from '../../../../src/storage/index.ts'
import { batchedFind } from '../../../../src/storage/reads/batched.ts'
import type { Chance } from '../../chance.ts'
import type { NoticeBoard } from '../machine/board.ts'
import type { World } from '../world.ts'
import { databaseOf } from './database.ts'
import type { Life } from './life.ts'
import { ConnectionLost } from './network.ts'
import { railsOf } from './rails.ts'

export interface Installation {
  readonly config: Config
  readonly baseUrl: string
  readonly keyring: LiveKeyring
  readonly logger: Logger
}

export interface RunningGateway {
  readonly life: Life
  readonly gateway: Gateway
  readonly app: App
}

interface Surroundings {
  readonly world: World
  readonly board: NoticeBoard
  readonly notices: Notices
  onError(error: unknown): void
}

export function startGateway(
  life: Life,
  installation: Installation,
  chance: Chance,
  { world, board, notices, onError }: Surroundings,
): Promise<RunningGateway> {
  return life.within(async () => {
    const random: Randomness = { bytes: (length) => chance.bytes(length) }
    const runtime = {
      ...installation,
      database: databaseOf(life, world.database, board),
      clock: systemClock,
      random,
      // A dying process reports no errors.
      onError: (error: unknown) =>
        void (
          life.ended ||
          // Such a call began while faults were on, even if it ends later.
          error instanceof ConnectionLost ||
          error instanceof RailFault ||
          (world.faulty && isOfTheWorld(error)) ||
          onError(error)
        ),
      close: async () => undefined,
    }
    const beyond = chance.apart('rails')
    const sandbox = await openSandbox({
      ...runtime,
      database: databaseOfRails(life, world, board),
      random: { bytes: (length) => beyond.bytes(length) },
    })
    const gateway = composeGateway({ ...runtime, clock: sandbox.clock }, railsOf(life, sandbox.rails, world))
    const { routes } = sandbox.mount(
      { administration: gateway.administration, notices },
      { authScheme: 'Comporta' },
    )
    const app = gateway.createApp(routes('http://shop.invalid'))
    await app.ready()
    await gateway.startWork()
    return { life, gateway, app }
  })
}

/** The rails keep their books in the same database, and survive the process. Only an open transaction is lost. */
function databaseOfRails(life: Life, world: World, board: NoticeBoard): Database {
  const shared = world.database
  return {
    ...shared,
    async run<Row>(statement: Statement<Row>, parameters?: readonly unknown[]) {
      const rows = await shared.run(statement, parameters)
      if ((statement as unknown) === updateOffset) world.jumpedAt = world.time.elapsed
      return rows
    },
    find: batchedFind(shared.kind, shared.read),
    transaction: (work) => shared.transaction((tx) => life.orDeath(work(tx))),
    connected: (work) => shared.connected((db) => life.orDeath(work(db))),
    listen: (channel, onNotice) => board.listen(life, channel, onNotice),
  }
}

function isOfTheWorld(error: unknown): boolean {
  const isMistake =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  return !isMistake && error instanceof Error && !('severity' in error)
}
