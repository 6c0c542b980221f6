// Callback addresses, secrets and delivery health.
import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Paper,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type {
  EndpointsAnswer,
  EventAnswer,
  SecretKind,
} from '../../../../src/backoffice/contract/developers.ts'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton } from '../../kit/confirm-button.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Loaded } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import { DevelopersFrame } from './developers-frame.tsx'
import { EndpointHealth } from './endpoint-health.tsx'
import { FurtherEndpoints } from './further-endpoints.tsx'
import { type DevelopersTexts, developersTexts } from './i18n.ts'
import { ShownOnce } from './shown-once.tsx'

interface PartProps {
  readonly answer: EndpointsAnswer
  readonly refetch: () => Promise<unknown>
}

export function Page() {
  const t = useTexts(developersTexts)
  const { api } = useWallet()
  const query = useQuery({
    queryKey: [api, 'developers', 'endpoints'],
    queryFn: ({ signal }) => read<EndpointsAnswer>(`${api}/developers/endpoints`, signal),
  })
  return (
    <DevelopersFrame section="callbacks" about={t.callbacksAbout}>
      <Loaded query={query}>
        {(answer) => (
          <Stack gap="lg">
            <Addresses answer={answer} refetch={query.refetch} />
            <EndpointHealth answer={answer} />
            <Secrets answer={answer} refetch={query.refetch} />
            <FurtherEndpoints />
          </Stack>
        )}
      </Loaded>
    </DevelopersFrame>
  )
}

function Addresses({ answer, refetch }: PartProps) {
  const t = useTexts(developersTexts)
  const say = useNotify()
  const { api, may } = useWallet()
  const [url, setUrl] = useState(answer.callback_url ?? '')
  const [cardUrl, setCardUrl] = useState(answer.card_callback_url ?? '')
  const [selfEvents, setSelfEvents] = useState(answer.self_events)
  const [origins, setOrigins] = useState(answer.secure_field_origins.join('\n'))
  const [embedding, setEmbedding] = useState(answer.embed_origins.join('\n'))
  const isReadOnly = !may('keys')
  const saving = useDoing(async () => {
    const body = {
      callback_url: url.trim() || null,
      card_callback_url: cardUrl.trim() || null,
      self_events: selfEvents,
      secure_field_origins: linesOf(origins),
      embed_origins: linesOf(embedding),
    }
    await act(`${api}/developers/endpoints`, { method: 'PATCH', body })
    await refetch()
    say(t.saved)
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    void saving.start()
  }

  return (
    <Paper withBorder p="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2}>{t.addresses}</Title>
          <Refused problem={saving.problem} />
          <Fieldset variant="unstyled" className="read-when-off" disabled={isReadOnly} p={0} m={0}>
            <Stack>
              <TextInput
                label={t.callbackUrl}
                description={t.urlHint}
                inputMode="url"
                value={url}
                onChange={(event) => setUrl(event.currentTarget.value)}
              />
              <TextInput
                label={t.cardCallbackUrl}
                description={t.cardUrlHint}
                inputMode="url"
                value={cardUrl}
                onChange={(event) => setCardUrl(event.currentTarget.value)}
              />
              <Checkbox
                label={t.selfEvents}
                checked={selfEvents}
                onChange={(event) => setSelfEvents(event.currentTarget.checked)}
              />
              <Textarea
                label={t.origins}
                description={t.originsHint}
                autosize
                minRows={2}
                value={origins}
                onChange={(event) => setOrigins(event.currentTarget.value)}
              />
              <Textarea
                label={t.embedOrigins}
                description={t.embedOriginsHint}
                autosize
                minRows={2}
                value={embedding}
                onChange={(event) => setEmbedding(event.currentTarget.value)}
              />
            </Stack>
          </Fieldset>
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={saving.busy}>
                {t.save}
              </Button>
            </Group>
          )}
          {may('callbacks') && answer.callback_url !== null && <Ping refetch={refetch} />}
        </Stack>
      </form>
    </Paper>
  )
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== '')
}

const askEveryMs = 500
/** Enough polls for one delivery attempt, which takes at most 15 seconds. */
const askedMax = 40

function Ping({ refetch }: Pick<PartProps, 'refetch'>) {
  const t = useTexts(developersTexts)
  const { api, id } = useWallet()
  const [sent, setSent] = useState<EventAnswer>()
  const pinging = useDoing(async () => {
    setSent(undefined)
    const { event } = await act<{ event: string }>(`${api}/developers/ping`, { body: { endpoint: 'wallet' } })
    let latest = await read<EventAnswer>(`${api}/developers/events/${event}`)
    for (let asked = 1; asked < askedMax && latest.tries.length === 0; asked++) {
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
      latest = await read<EventAnswer>(`${api}/developers/events/${event}`)
    }
    setSent(latest)
    await refetch()
  })
  return (
    <Stack gap="xs" align="flex-start" aria-live="polite">
      <Button variant="light" loading={pinging.busy} onClick={() => void pinging.start()}>
        {t.test}
      </Button>
      <Refused problem={pinging.problem} />
      {sent !== undefined && (
        <Alert {...outcomeOf(sent, t)} p="sm">
          <Anchor
            component={Link}
            to={`/wallets/${id}/developers/events/${sent.id}`}
            size="sm"
            underline="always"
          >
            {t.testDetail}
          </Anchor>
        </Alert>
      )}
    </Stack>
  )
}

function outcomeOf({ state, tries }: EventAnswer, t: DevelopersTexts) {
  const [attempt] = tries
  if (attempt === undefined) return { color: 'yellow', title: t.testUnanswered }
  return state === 'DELIVERED' || state === 'VERIFIED'
    ? { color: 'green', title: t.testReceived(attempt.status ?? 200) }
    : { color: 'red', title: t.testFailed(attempt.error ?? String(attempt.status)) }
}

function Secrets({ answer, refetch }: PartProps) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  const { membership } = useWallet()
  const [made, setMade] = useState<string>()
  const { secrets } = answer
  const overlap = (until: string | null) => (until === null ? undefined : t.overlap(format.moment(until)))
  const isPartner = membership?.rights.includes('partner') === true
  const shared = {
    onMade(secret: string) {
      setMade(secret)
      void refetch()
    },
  }
  return (
    <Paper withBorder p="lg">
      <Stack>
        <Title order={2}>{t.secrets}</Title>
        <Secret
          {...shared}
          kind="callback_password"
          name={t.password}
          about={t.passwordText(secrets.callback_user ?? '')}
          note={overlap(secrets.password_overlap_until)}
        />
        <Secret
          {...shared}
          kind="signing_secret"
          name={t.signing}
          about={t.signingText}
          note={overlap(secrets.signing_overlap_until)}
        />
        {isPartner && <Secret {...shared} kind="esb_token" name={t.esb} about={t.esbText} note={undefined} />}
      </Stack>
      <ShownOnce title={t.secretMade} secret={made} onClose={() => setMade(undefined)} />
    </Paper>
  )
}

function Secret({
  kind,
  name,
  about,
  note,
  onMade,
}: {
  readonly kind: SecretKind
  readonly name: string
  readonly about: string
  readonly note: string | undefined
  readonly onMade: (secret: string) => void
}) {
  const t = useTexts(developersTexts)
  const { api, may } = useWallet()
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" className="anywhere">
          {about}
        </Text>
        {note !== undefined && <Text size="sm">{note}</Text>}
      </div>
      {may('keys') && (
        <AskingButton
          label={t.replace}
          title={t.replaceSecret(name)}
          ask={kind === 'esb_token' ? t.replaceEsbAsk : t.replaceAsk}
          variant="default"
          size="xs"
          work={async () =>
            onMade((await act<{ secret: string }>(`${api}/developers/secrets/${kind}`)).secret)
          }
        />
      )}
    </Group>
  )
}
