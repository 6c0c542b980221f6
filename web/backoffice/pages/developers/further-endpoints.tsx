// Further callback endpoints: list, form, secrets and deliveries.
import {
  Badge,
  Button,
  Checkbox,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton, RemoveButton } from '../../kit/confirm-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Loaded } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { DataTable } from '../../kit/table.tsx'
import { ToCopy } from '../../kit/to-copy.tsx'
import { useWallet } from '../../session.ts'
import { endpointTexts } from './endpoint-texts.ts'
import { developersTexts } from './i18n.ts'

const kinds = ['operation', 'card_stored', 'mandate', 'subscription', 'charge'] as const
/** Besides the address of the wallet. */
const furtherMax = 9
const deliveriesShown = 30

interface Endpoint {
  readonly id: string
  readonly number: number
  readonly url: string
  readonly description?: string
  readonly kinds: readonly (typeof kinds)[number][]
  readonly status: 'ACTIVE' | 'PAUSED'
  readonly callback_secret_overlap?: string
  readonly callback_signing_secret_overlap?: string
  readonly health: {
    readonly backlog: number
    readonly given_up: number
    readonly last_received?: string
    readonly failing_since?: string
    readonly last_status?: number
    readonly last_error?: string
  }
}

interface Delivery {
  readonly event_id: string
  readonly kind: (typeof kinds)[number] | 'ping'
  readonly event: string
  readonly status: string
  readonly attempts: number
  readonly date: string
  readonly last_status?: number
  readonly last_error?: string
  readonly next_attempt?: string
}

interface Secrets {
  readonly callback_secret?: string
  readonly callback_signing_secret?: string
}

export function FurtherEndpoints() {
  const t = useTexts(endpointTexts)
  const { api, may } = useWallet()
  const [isMaking, setIsMaking] = useState(false)
  const [secrets, setSecrets] = useState<Secrets>()
  const query = useQuery({
    queryKey: [api, 'callback_endpoints'],
    queryFn: ({ signal }) => read<{ elements: readonly Endpoint[] }>(`${api}/callback_endpoints`, signal),
  })
  const shared = { refetch: query.refetch, onSecrets: setSecrets }
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.title}>
      <Stack>
        <div>
          <Title order={2}>{t.title}</Title>
          <Text size="sm" c="dimmed">
            {t.about(furtherMax)}
          </Text>
        </div>
        <Loaded query={query}>
          {({ elements }) => (
            <Stack>
              {elements.length === 0 && <Text size="sm">{t.none}</Text>}
              {elements.toReversed().map((endpoint) => (
                <Panel key={endpoint.id} endpoint={endpoint} {...shared} />
              ))}
              {may('keys') && elements.length < furtherMax && (
                <Group>
                  <Button variant="light" onClick={() => setIsMaking(true)}>
                    {t.add}
                  </Button>
                </Group>
              )}
            </Stack>
          )}
        </Loaded>
      </Stack>
      <Dialog opened={isMaking} close={() => setIsMaking(false)} title={t.add}>
        <EndpointForm {...shared} close={() => setIsMaking(false)} />
      </Dialog>
      <ShownSecrets secrets={secrets} close={() => setSecrets(undefined)} />
    </Paper>
  )
}

interface Shared {
  readonly refetch: () => Promise<unknown>
  readonly onSecrets: (secrets: Secrets) => void
}

function Panel({ endpoint, refetch, onSecrets }: Shared & { readonly endpoint: Endpoint }) {
  const t = useTexts(endpointTexts)
  const { kinds: kindNames } = useTexts(developersTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const [isEditing, setIsEditing] = useState(false)
  const [isListing, setIsListing] = useState(false)
  const { number, url, description, status, health } = endpoint
  const path = `${api}/callback_endpoints/${endpoint.id}`
  const name = t.nameOf(number)
  const answer = health.last_error ?? health.last_status?.toString()
  const facts = [
    endpoint.kinds.length === 0 ? t.everyKind : endpoint.kinds.map((kind) => kindNames[kind]).join(', '),
    health.last_received === undefined
      ? t.neverReceived
      : t.lastReceived(format.moment(health.last_received)),
    health.failing_since !== undefined && t.failingSince(format.moment(health.failing_since)),
    health.failing_since !== undefined && answer !== undefined && t.lastAnswer(answer),
    health.backlog > 0 && t.waiting(health.backlog),
    health.given_up > 0 && t.abandoned(health.given_up),
  ].filter((fact) => fact !== false)
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Text fw={600} className="anywhere">
              {number}. {description ?? url}
            </Text>
            {description !== undefined && (
              <Text size="sm" className="anywhere">
                {url}
              </Text>
            )}
          </div>
          <Group gap="xs">
            {health.failing_since !== undefined && (
              <Badge variant="light" tt="none" color="red" flex="none">
                {t.failing}
              </Badge>
            )}
            <Badge variant="light" tt="none" color={status === 'ACTIVE' ? 'green' : 'gray'} flex="none">
              {status === 'ACTIVE' ? t.active : t.paused}
            </Badge>
          </Group>
        </Group>
        <Text size="sm" c="dimmed" className="anywhere">
          {facts.join(' · ')}
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-label={`${t.deliveries}: ${name}`}
            onClick={() => setIsListing(true)}
          >
            {t.deliveries}
          </Button>
          {may('callbacks') && <Sending endpoint={endpoint} path={path} refetch={refetch} />}
          {may('keys') && (
            <>
              <Button
                size="xs"
                variant="default"
                aria-label={`${t.edit}: ${name}`}
                onClick={() => setIsEditing(true)}
              >
                {t.edit}
              </Button>
              <AskingButton
                size="xs"
                variant="default"
                label={status === 'ACTIVE' ? t.pause : t.resume}
                title={`${status === 'ACTIVE' ? t.pause : t.resume}: ${name}`}
                ask={t.pauseAsk}
                work={async () => {
                  const body = { status: status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE' }
                  await act(path, { method: 'PATCH', body })
                  await refetch()
                }}
              />
              <ReplaceSecrets path={path} name={name} onSecrets={onSecrets} />
              <RemoveButton
                label={t.remove}
                title={`${t.remove}: ${name}`}
                ask={t.removeAsk}
                work={async () => {
                  await act(path, { method: 'DELETE' })
                  await refetch()
                }}
              />
            </>
          )}
        </Group>
      </Stack>
      <Dialog opened={isEditing} close={() => setIsEditing(false)} title={`${t.edit}: ${name}`}>
        <EndpointForm
          endpoint={endpoint}
          refetch={refetch}
          onSecrets={onSecrets}
          close={() => setIsEditing(false)}
        />
      </Dialog>
      <Dialog
        opened={isListing}
        close={() => setIsListing(false)}
        title={`${t.deliveries}: ${name}`}
        size="xl"
      >
        <Deliveries path={path} refetchEndpoint={refetch} />
      </Dialog>
    </Paper>
  )
}

function Sending({
  endpoint,
  path,
  refetch,
}: {
  readonly endpoint: Endpoint
  readonly path: string
  readonly refetch: () => Promise<unknown>
}) {
  const t = useTexts(endpointTexts)
  const say = useNotify()
  const name = t.nameOf(endpoint.number)
  const testing = useDoing(async () => {
    await act(`${path}/test`)
    say(t.tested)
    await refetch()
  })
  const resending = useDoing(async () => {
    say(t.resent((await act<{ resent: number }>(`${path}/resend`, { body: {} })).resent))
    await refetch()
  })
  return (
    <>
      {endpoint.status === 'ACTIVE' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${t.test}: ${name}`}
          loading={testing.busy}
          onClick={() => void testing.start()}
        >
          {t.test}
        </Button>
      )}
      {endpoint.health.given_up > 0 && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${t.resendFailed}: ${name}`}
          loading={resending.busy}
          onClick={() => void resending.start()}
        >
          {t.resendFailed}
        </Button>
      )}
      <Refused problem={testing.problem ?? resending.problem} />
    </>
  )
}

function ReplaceSecrets({
  path,
  name,
  onSecrets,
}: {
  readonly path: string
  readonly name: string
  readonly onSecrets: (secrets: Secrets) => void
}) {
  const t = useTexts(endpointTexts)
  const labels = { callback_secret: t.replacePassword, callback_signing_secret: t.replaceSigning } as const
  return (['callback_secret', 'callback_signing_secret'] as const).map((kind) => (
    <AskingButton
      key={kind}
      size="xs"
      variant="default"
      label={labels[kind]}
      title={`${labels[kind]}: ${name}`}
      ask={t.replaceAsk}
      work={async () => {
        const { secret } = await act<{ secret: string }>(`${path}/secrets`, { body: { kind } })
        onSecrets({ [kind]: secret })
      }}
    />
  ))
}

function EndpointForm({
  endpoint,
  refetch,
  onSecrets,
  close,
}: Shared & { readonly endpoint?: Endpoint; readonly close: () => void }) {
  const t = useTexts(endpointTexts)
  const { kinds: kindNames } = useTexts(developersTexts)
  const say = useNotify()
  const { api } = useWallet()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(endpoint?.kinds ?? [])
  const [isChecked, setIsChecked] = useState(false)
  const doing = useDoing(async () => {
    const body = { url: url.trim(), description: description.trim(), kinds: chosen }
    const path = `${api}/callback_endpoints`
    if (endpoint === undefined) {
      const { callback_secret, callback_signing_secret } = await act<Secrets>(path, { body })
      onSecrets({ callback_secret, callback_signing_secret } as Secrets)
    } else {
      await act(`${path}/${endpoint.id}`, { method: 'PATCH', body })
      say(t.saved)
    }
    close()
    await refetch()
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    if (url.trim() !== '') void doing.start()
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Refused problem={doing.problem} />
        <TextInput
          label={t.address}
          description={t.addressHint}
          inputMode="url"
          maxLength={2048}
          data-autofocus
          required
          withAsterisk={false}
          value={url}
          error={isChecked && url.trim() === '' ? t.addressMissing : undefined}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label={t.description}
          description={t.descriptionHint}
          maxLength={100}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Checkbox.Group
          label={t.kinds}
          description={t.kindsHint}
          value={[...chosen]}
          onChange={(value) => setChosen(value)}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
            {kinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={kindNames[kind]} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <FormEnd label={endpoint === undefined ? t.create : t.save} busy={doing.busy} cancel={close} />
      </Stack>
    </form>
  )
}

function ShownSecrets({
  secrets,
  close,
}: {
  readonly secrets: Secrets | undefined
  readonly close: () => void
}) {
  const t = useTexts(endpointTexts)
  const { callback_secret: password, callback_signing_secret: signing } = secrets ?? {}
  const isNew = password !== undefined && signing !== undefined
  return (
    <Dialog opened={secrets !== undefined} close={close} title={isNew ? t.made : t.replaced} stays>
      <Stack>
        <Text size="sm">{t.secretsOnce}</Text>
        {signing !== undefined && <ToCopy label={t.signing} value={signing} />}
        {password !== undefined && <ToCopy label={t.password} value={password} />}
        <Group justify="flex-end">
          <Button onClick={close}>{t.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Deliveries({
  path,
  refetchEndpoint,
}: {
  readonly path: string
  readonly refetchEndpoint: () => Promise<unknown>
}) {
  const t = useTexts(endpointTexts)
  const { kinds: kindNames } = useTexts(developersTexts)
  const format = useFormats()
  const say = useNotify()
  const { may } = useWallet()
  const query = useQuery({
    queryKey: [path, 'deliveries'],
    queryFn: ({ signal }) =>
      read<{ elements: readonly Delivery[] }>(`${path}/deliveries?limit=${deliveriesShown}`, signal),
  })
  const resending = useDoing(async (eventId: string) => {
    await act(`${path}/resend`, { body: { event_id: eventId } })
    say(t.resent(1))
    await query.refetch()
    await refetchEndpoint()
  })
  const answerOf = ({ last_status, last_error, next_attempt }: Delivery) =>
    [
      last_error ?? last_status?.toString(),
      next_attempt === undefined ? undefined : t.nextAttempt(format.moment(next_attempt)),
    ]
      .filter((part) => part !== undefined)
      .join('. ')
  const eventOf = ({ kind, event }: Delivery) => `${kindNames[kind]} ${kind === 'ping' ? '' : event}`.trim()
  return (
    <Loaded query={query}>
      {({ elements }) =>
        elements.length === 0 ? (
          <Text size="sm">{t.noDeliveries}</Text>
        ) : (
          <Stack>
            <Text size="sm" c="dimmed">
              {t.newest}
            </Text>
            <Refused problem={resending.problem} />
            <DataTable
              label={t.deliveries}
              columns={[
                { head: t.when, kind: 'line', cell: ({ date }) => format.moment(date) },
                { head: t.what, cell: eventOf },
                { head: t.state, cell: ({ status }) => <StatusBadge status={status} /> },
                { head: t.attempts, kind: 'amount', cell: ({ attempts }) => attempts },
                { head: t.answer, cell: answerOf },
                may('callbacks') && {
                  head: t.again,
                  kind: 'actions',
                  cell: (delivery) =>
                    delivery.status !== 'DUE' && (
                      <Button
                        size="compact-xs"
                        variant="light"
                        aria-label={t.againOf(eventOf(delivery), format.moment(delivery.date))}
                        onClick={() => void resending.start(delivery.event_id)}
                      >
                        {t.again}
                      </Button>
                    ),
                },
              ]}
              rows={elements}
              keyOf={({ event_id }) => event_id}
            />
          </Stack>
        )
      }
    </Loaded>
  )
}
