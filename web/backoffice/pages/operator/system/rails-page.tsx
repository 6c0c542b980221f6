// Rails: the connections to providers with a check of each, the drivers, and webhooks that could not be handled.
import { Alert, Badge, Button, List, Stack, Title } from '@mantine/core'
import type { RailCheckAnswer, RailsAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { Empty, Loaded, PageHead } from '../../../kit/page.tsx'
import { Problem } from '../../../shell/problems.tsx'
import { useFormats } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/language.ts'
import { DataTable, useOperatorQuery, useOperatorVerb } from '../parts.tsx'
import { systemTexts } from './system-texts.ts'

export function Page() {
  const t = useTexts(systemTexts)
  const query = useOperatorQuery<RailsAnswer>('/rails')
  return (
    <>
      <PageHead title={t.rails} about={t.railsAbout} />
      <Loaded query={query}>
        {(answer) =>
          answer.pretended ? (
            <Alert color="yellow" title={t.pretended} role="status">
              {t.pretendedText}
            </Alert>
          ) : (
            <Stack gap="xl">
              {answer.connections.length === 0 ? (
                <Empty title={t.noConnections}>{t.noConnectionsText}</Empty>
              ) : (
                <Connections connections={answer.connections} />
              )}
              {answer.failed_webhooks.length > 0 && <Webhooks webhooks={answer.failed_webhooks} />}
              <Drivers drivers={answer.drivers} />
            </Stack>
          )
        }
      </Loaded>
    </>
  )
}

type Connection = RailsAnswer['connections'][number]

function Connections({ connections }: { readonly connections: readonly Connection[] }) {
  const t = useTexts(systemTexts)
  const stateOf = ({ enabled, state }: Connection) => {
    if (!enabled) return t.removed
    return state === 'proven' ? t.proven : state === 'unproven' ? t.unproven : t.missing
  }
  return (
    <DataTable
      label={t.rails}
      minWidth={760}
      heads={[t.connection, t.driver, t.wallet, t.serves, t.state, t.check]}
      rows={connections.map((one) => ({
        key: String(one.id),
        cells: [
          one.id,
          one.driver,
          one.wallet_id ?? t.everybody,
          one.rails.join(', '),
          <Badge
            key="state"
            variant="light"
            tt="none"
            color={one.enabled && one.state === 'proven' ? 'green' : 'yellow'}
          >
            {stateOf(one)}
          </Badge>,
          <CheckOf key="check" id={one.id} />,
        ],
      }))}
    />
  )
}

function CheckOf({ id }: { readonly id: number }) {
  const t = useTexts(systemTexts)
  const checking = useOperatorVerb<RailCheckAnswer>(() => [`/rails/${id}/check`, { body: {} }])
  const { data } = checking
  return (
    <Stack gap="xs" align="flex-start">
      <Button size="xs" variant="default" loading={checking.isPending} onClick={() => checking.mutate()}>
        {t.checkNow}
      </Button>
      {checking.error !== null && <Problem error={checking.error} />}
      {data && (
        <div role="status">
          <Badge variant="light" tt="none" color={data.ok ? 'green' : 'red'}>
            {data.ok ? t.works : t.failed}
          </Badge>
          <List size="sm">
            {data.checks.map((one) => (
              <List.Item key={one.name}>
                {one.name}: {one.detail}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  )
}

function Webhooks({ webhooks }: { readonly webhooks: RailsAnswer['failed_webhooks'] }) {
  const t = useTexts(systemTexts)
  const format = useFormats()
  return (
    <section>
      <Title order={2} mb="sm">
        {t.webhooks}
      </Title>
      <DataTable
        label={t.webhooks}
        heads={[t.received, t.connection, t.tries, t.error]}
        rows={webhooks.map((one) => ({
          key: String(one.id),
          cells: [format.moment(one.received), one.connection, one.tries, one.error],
        }))}
      />
    </section>
  )
}

function Drivers({ drivers }: { readonly drivers: RailsAnswer['drivers'] }) {
  const t = useTexts(systemTexts)
  return (
    <section>
      <Title order={2} mb="sm">
        {t.drivers}
      </Title>
      <DataTable
        label={t.drivers}
        minWidth={320}
        heads={[t.driver, t.serves, t.state]}
        rows={drivers.map(({ name, rails, proven }) => ({
          key: name,
          cells: [name, rails.join(', '), proven ? t.proven : t.unproven],
        }))}
      />
    </section>
  )
}
