// Connections, drivers and failed provider webhooks.
import { Alert, Badge, Button, List, Stack, Title } from '@mantine/core'
import type { RailCheckAnswer, RailsAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Empty, Loaded, PageHead } from '../../../kit/page.tsx'
import { DataTable } from '../../../kit/table.tsx'
import { Problem } from '../../../shell/problems.tsx'
import { useOperatorQuery, useOperatorVerb } from '../parts.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { systemTexts } from './system-texts.ts'

export function Page() {
  const t = useTexts(systemTexts)
  const query = useOperatorQuery<RailsAnswer>('/rails')
  return (
    <>
      <PageHead title={t.rails} about={t.railsAbout} />
      <Loaded query={query}>
        {(answer) =>
          answer.simulated ? (
            <Alert color="yellow" title={t.simulated} role="status">
              {t.simulatedText}
            </Alert>
          ) : (
            <Stack gap="xl">
              <ConnectDialog drivers={answer.drivers} />
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
      minWidth={960}
      columns={[
        { head: t.connection, kind: 'line', cell: ({ id }) => id },
        { head: t.driver, cell: ({ driver }) => driver },
        { head: t.wallet, cell: (one) => one.wallet_id ?? t.everybody },
        { head: t.serves, cell: ({ rails }) => rails.join(', ') },
        {
          head: t.state,
          cell: (one) => (
            <Badge
              variant="light"
              tt="none"
              color={one.enabled && one.state === 'proven' ? 'green' : 'yellow'}
            >
              {stateOf(one)}
            </Badge>
          ),
        },
        { head: t.lastAnswer, cell: (one) => <ContactOf contact={one.last_answer} /> },
        { head: t.lastError, cell: (one) => <ContactOf contact={one.last_error} /> },
        { head: t.check, kind: 'actions', cell: ({ id }) => <CheckOf id={id} /> },
      ]}
      rows={connections}
      keyOf={({ id }) => String(id)}
    />
  )
}

function ContactOf({ contact }: { readonly contact: Connection['last_answer'] }) {
  const t = useTexts(systemTexts)
  const format = useFormats()
  return contact === null ? t.never : `${contact.said}, ${format.moment(contact.at)}`
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
        columns={[
          { head: t.received, kind: 'line', cell: ({ received }) => format.moment(received) },
          { head: t.connection, kind: 'line', cell: ({ connection }) => connection },
          { head: t.tries, kind: 'amount', cell: ({ tries }) => tries },
          { head: t.error, cell: ({ error }) => error },
        ]}
        rows={webhooks}
        keyOf={({ id }) => String(id)}
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
        columns={[
          { head: t.driver, cell: ({ name }) => name },
          { head: t.serves, cell: ({ rails }) => rails.join(', ') },
          { head: t.state, cell: ({ proven }) => (proven ? t.proven : t.unproven) },
        ]}
        rows={drivers}
        keyOf={({ name }) => name}
      />
    </section>
  )
}
