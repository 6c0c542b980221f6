// Form that connects a provider, and the steps that are left.
import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  List,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import type { ConnectedAnswer, RailsAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { ToCopy } from '../../../kit/to-copy.tsx'
import { useOperatorVerb, VerbForm } from '../parts.tsx'
import { systemTexts } from './system-texts.ts'

type Driver = RailsAnswer['drivers'][number]

export function ConnectDialog({ drivers }: { readonly drivers: readonly Driver[] }) {
  const t = useTexts(systemTexts)
  const [opened, setOpened] = useState(false)
  const [made, setMade] = useState<ConnectedAnswer>()
  const close = () => setOpened(false)
  return (
    <>
      <Group>
        <Button
          onClick={() => {
            setMade(undefined)
            setOpened(true)
          }}
        >
          {t.connect}
        </Button>
      </Group>
      <Dialog opened={opened} close={close} title={t.connect}>
        {made === undefined ? (
          <ChosenDriver drivers={drivers} close={close} done={setMade} />
        ) : (
          <Connected made={made} close={close} />
        )}
      </Dialog>
    </>
  )
}

interface Closing {
  readonly close: () => void
  readonly done: (made: ConnectedAnswer) => void
}

function ChosenDriver({ drivers, ...closing }: { readonly drivers: readonly Driver[] } & Closing) {
  const t = useTexts(systemTexts)
  const [name, setName] = useState(drivers[0]?.name ?? '')
  const driver = drivers.find((one) => one.name === name)
  return (
    <Stack>
      <NativeSelect
        label={t.driver}
        data={drivers.map((one) => one.name)}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        data-autofocus
      />
      {driver && <ConnectForm key={name} driver={driver} {...closing} />}
    </Stack>
  )
}

function ConnectForm({ driver, close, done }: { readonly driver: Driver } & Closing) {
  const t = useTexts(systemTexts)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [wallet, setWallet] = useState('')
  const [test, setTest] = useState(false)
  const [accepted, setAccepted] = useState(false)
  const given = (secret: boolean) =>
    Object.fromEntries(
      driver.settings
        .filter((one) => one.secret === secret)
        .map(({ name }) => [name, (values[name] ?? '').trim()] as const)
        .filter(([, value]) => value !== ''),
    )
  const connecting = useOperatorVerb<ConnectedAnswer>(
    () => [
      '/rails',
      {
        body: {
          ...{ driver: driver.name, settings: given(false), secrets: given(true), test },
          ...(wallet !== '' && { wallet_id: Number(wallet) }),
          ...(!driver.proven && { allow_unproven: accepted }),
        },
      },
    ],
    { done },
  )
  return (
    <VerbForm doing={connecting} label={t.connect} cancel={close}>
      {driver.settings.map((spec) => (
        <Setting
          key={spec.name}
          spec={spec}
          value={values[spec.name] ?? ''}
          change={(value) => setValues((before) => ({ ...before, [spec.name]: value }))}
        />
      ))}
      <TextInput
        label={t.wallet}
        description={t.walletHint}
        value={wallet}
        onChange={({ currentTarget: { value } }) => setWallet(value.trim())}
        inputMode="numeric"
        pattern="[1-9][0-9]{0,14}"
        maxLength={15}
      />
      {driver.has_test && (
        <Checkbox
          label={t.useTest}
          description={t.useTestHint}
          checked={test}
          onChange={({ currentTarget: { checked } }) => setTest(checked)}
        />
      )}
      {!driver.proven && (
        <Checkbox
          label={t.allowUnproven}
          description={t.allowUnprovenHint}
          checked={accepted}
          onChange={({ currentTarget: { checked } }) => setAccepted(checked)}
          required
        />
      )}
    </VerbForm>
  )
}

function Setting({
  spec: { name, secret, required, help },
  value,
  change,
}: {
  readonly spec: Driver['settings'][number]
  readonly value: string
  readonly change: (value: string) => void
}) {
  const field = {
    ...{ label: name, description: help, value, required },
    // The driver's texts are in English.
    descriptionProps: { lang: 'en' },
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value),
    maxLength: 20_000,
  }
  return secret ? (
    <PasswordInput {...field} autoComplete="new-password" />
  ) : (
    <Textarea {...field} autosize minRows={1} maxRows={6} autoComplete="off" spellCheck={false} />
  )
}

function Connected({ made, close }: { readonly made: ConnectedAnswer; readonly close: () => void }) {
  const t = useTexts(systemTexts)
  const { connection, ok, checks, webhook, registered, by_hand } = made
  return (
    <Stack>
      <Alert color={ok ? 'green' : 'red'} title={t.connected(connection)} role="status">
        {ok ? t.works : t.connectedFailed}
      </Alert>
      <List size="sm">
        {checks.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two checks can have the same name
          <List.Item key={at}>
            <Badge variant="light" tt="none" color={one.ok ? 'green' : 'red'}>
              {one.name}
            </Badge>{' '}
            <span lang="en">{one.detail}</span>
          </List.Item>
        ))}
      </List>
      {webhook !== null && !registered && <ToCopy label={t.webhookAddress} value={webhook} />}
      {registered && <Text size="sm">{t.webhookRegistered}</Text>}
      {by_hand.length > 0 && (
        <section aria-label={t.stillToDo}>
          <Text size="sm" fw={600} mb="xs">
            {t.stillToDo}
          </Text>
          <List type="ordered" size="sm" lang="en">
            {by_hand.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </section>
      )}
      <Group justify="flex-end">
        <Button onClick={close}>{t.done}</Button>
      </Group>
    </Stack>
  )
}
