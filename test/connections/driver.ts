// A test driver, whose provider is a server with records in memory (provider.ts).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { drivers as shippedDrivers } from '../../drivers/index.ts'
import type {
  Connection,
  Driver,
  DriverTools,
  RailRequests,
  StatementLine,
} from '../../src/connections/index.ts'
import type {
  CardAcquirer,
  CustomerAuthorizations,
  Dispute,
  FailedRefund,
  MobileWallet,
  ProviderReferences,
  RailName,
  Rails,
  ReferencePayment,
} from '../../src/rails/index.ts'
import { decode, encode } from './wire.ts'

async function call(
  { settings, secrets }: Connection,
  { fetch }: DriverTools,
  asked: { rail: string; verb: string; args: unknown[] },
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(`${settings.url}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secrets.token}`, account: settings.account ?? '' },
    body: encode(asked),
    ...(signal && { signal }),
  })
  if (!response.ok) throw new Error(`the provider answered ${response.status} to ${secrets.token}`)
  return decode(await response.text())
}

function remoteRail(
  rail: RailName | 'acquirerWithPages',
  connection: Connection,
  tools: DriverTools,
): object {
  return new Proxy(
    {},
    {
      get: (_, verb: string) =>
        verb === 'pagesUrl'
          ? connection.settings.url
          : verb === 'customers' || verb === 'lacks' || verb === 'holds'
            ? undefined
            : verb === 'creditorOf'
              ? () => ({ name: 'Pagamentos Exemplo', creditorId: 'PT31ZZZ654321' })
              : (...given: unknown[]) => {
                  const signal = given.find((one) => one instanceof AbortSignal)
                  const args = given.filter((one) => one !== signal)
                  return call(connection, tools, { rail, verb, args }, signal)
                },
    },
  )
}

function acquirerWithPages(connection: Connection, tools: DriverTools): CardAcquirer {
  const customers = (verb: 'authorize' | 'inquire') =>
    ((...[asked, signal]: [unknown, AbortSignal | undefined]) =>
      call(connection, tools, { rail: 'pages', verb, args: [asked] }, signal)) as never
  const remote = remoteRail('acquirerWithPages', connection, tools) as CardAcquirer
  const own: CustomerAuthorizations = {
    serves: () => true,
    authorize: customers('authorize'),
    inquire: customers('inquire'),
  }
  return new Proxy(remote, {
    get: (target, verb: keyof CardAcquirer) => (verb === 'customers' ? own : target[verb]),
  })
}

function providerReferences(connection: Connection, tools: DriverTools): ProviderReferences {
  const remote = remoteRail('referenceNetwork', connection, tools) as ProviderReferences
  return new Proxy(remote, {
    get(target, verb: keyof ProviderReferences) {
      if (verb === 'numbering') return 'theirs'
      const limits = { payableManyTimes: false, openAmount: false, startsLater: false }
      return verb === 'limits' ? limits : target[verb]
    },
  })
}

function mobileWallet(remote: MobileWallet, requests: RailRequests): MobileWallet {
  return new Proxy(remote, {
    get(target, verb: keyof MobileWallet) {
      if (verb !== 'requestPayment') return target[verb]
      const asking: MobileWallet['requestPayment'] = async (request, signal) => {
        const { before } = await requests.begin(request.key, 'ask')
        if (before === 'unknown') {
          const known = await target.inquirePayment(request.key)
          if (known.kind !== 'not_found') return known
        }
        const answer = await target.requestPayment(request, signal)
        await requests.record(request.key, 'ask', { providerId: `P-${request.key}`, status: answer.kind })
        return answer
      }
      return asking
    },
  })
}

const settings = [
  {
    name: 'url',
    secret: false,
    required: true,
    address: true,
    help: 'Address of the provider.',
  },
  { name: 'account', secret: false, required: true, fixed: true, help: 'Account at the provider.' },
  { name: 'remark', secret: false, required: false, help: 'Anything.' },
  { name: 'token', secret: true, required: true, help: 'Token of the account.' },
  { name: 'signing', secret: true, required: false, help: 'Secret that webhooks are signed with.' },
] as const satisfies Driver['settings']

function driverOf(name: string, proven: boolean, rails: readonly RailName[]): Driver {
  return {
    name,
    proven,
    rails,
    settings,
    gatewayOnly: rails.includes('directDebit'),
    open(connection, tools) {
      const remote = Object.fromEntries(
        rails.map((rail) => [rail, remoteRail(rail, connection, tools)]),
      ) as unknown as Rails
      return {
        ...remote,
        ...(name === 'testpages' && { acquirer: acquirerWithPages(connection, tools) }),
        ...(rails.includes('referenceNetwork') && {
          referenceNetwork: providerReferences(connection, tools),
        }),
        ...(rails.includes('mobileWallet') && {
          mobileWallet: mobileWallet(remote.mobileWallet, tools.requests),
        }),
        creditorAccount: {
          ...{ name: 'Pagamentos Exemplo', iban: 'PT50000201231234567890154' },
          ...{ bic: 'EXMPPTPL', creditorId: 'PT31ZZZ654321' },
        },
      }
    },
    async check(connection, tools) {
      await call(connection, tools, { rail: 'account', verb: 'hello', args: [] })
      return [{ name: 'credentials', ok: true, detail: `account ${connection.settings.account}` }]
    },
    async statement(connection, day, tools) {
      return (await call(connection, tools, {
        ...{ rail: 'statements', verb: 'of', args: [day] },
      })) as readonly StatementLine[]
    },
    webhook: {
      verify({ secrets }, { headers, rawBody }) {
        const wanted = createHmac('sha256', secrets.signing ?? '')
          .update(rawBody)
          .digest()
        const given = Buffer.from(headers['x-signature'] ?? '', 'hex')
        if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return { kind: 'refused' }
        const payload = Buffer.from(rawBody).toString('utf8')
        const { id } = JSON.parse(payload) as { id?: string }
        return { kind: 'accepted', id, payload, answer: { status: 200, body: { taken: id ?? null } } }
      },
      async handle(connection, { payload }, tools) {
        const { requests, notices } = tools
        const { about, kind } = JSON.parse(payload) as {
          about: string
          kind?: 'refund' | 'dispute' | 'reference'
        }
        if (kind === 'reference') {
          const asked = { rail: 'referenceNetwork', verb: 'paymentsOf', args: [[about]] }
          const payments = (await call(connection, tools, asked)) as ReferencePayment[]
          for (const payment of payments) await notices.references.receive(payment)
          return
        }
        if (kind !== undefined) {
          const said = await call(connection, tools, { rail: 'reported', verb: kind, args: [about] })
          if (kind === 'refund' && said !== undefined) await notices.refundFailed(said as FailedRefund)
          if (kind === 'dispute' && said !== undefined) await notices.dispute(said as Dispute)
          return
        }
        const request = await requests.findByProviderId(about)
        if (request === undefined) throw new Error(`nothing is called ${about}`)
        await notices.mobileWallet({ kind: 'payment', key: request.key })
      },
    },
  }
}

export const testDrivers: readonly Driver[] = [
  driverOf('testpay', true, ['acquirer', 'threeDSecure', 'mobileWallet']),
  driverOf('testpages', true, ['acquirer']),
  driverOf('testrefs', true, ['referenceNetwork']),
  driverOf('testwallet', true, ['mobileWallet']),
  driverOf('testbank', false, ['directDebit', 'creditTransfer']),
  ...shippedDrivers,
]
