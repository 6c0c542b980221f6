// Passkeys of the user.
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton, RemoveButton } from '../../kit/confirm-button.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { Loaded } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { passkeysWork } from '../sign-in/passkey.ts'
import { securityTexts } from './i18n.ts'
import { Section } from './section.tsx'

interface Passkey {
  readonly id: string
  readonly name?: string | null
  readonly createdAt: string
}

export function Passkeys() {
  const t = useTexts(securityTexts)
  const [name, setName] = useState('')
  const query = useQuery({
    queryKey: ['own', 'passkeys'],
    queryFn: ({ signal }) => read<Passkey[]>('/auth/passkey/list-user-passkeys', signal),
  })
  const add = useDoing(async () => {
    const path = '/auth/passkey/generate-register-options'
    const options = await read<PublicKeyCredentialCreationOptionsJSON>(path)
    const host = options.rp.id ?? ''
    if (host !== window.location.hostname) throw new Error(t.passkeysOther(host))
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const response = credential.toJSON()
    await act('/auth/passkey/verify-registration', { body: { response, name: name.trim() || 'Passkey' } })
    setName('')
    await query.refetch()
  })
  return (
    <Section title={t.passkeys}>
      <Text size="sm" c="dimmed">
        {passkeysWork() ? t.passkeysText : t.passkeysHost}
      </Text>
      <Loaded query={query} rows={1}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <Text size="sm">{t.noPasskeys}</Text>
          ) : (
            <List passkeys={passkeys} changed={query.refetch} />
          )
        }
      </Loaded>
      <Refused problem={add.problem} />
      {passkeysWork() && (
        <Group align="flex-end">
          <TextInput
            label={t.passkeyName}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button variant="light" loading={add.busy} onClick={() => void add.start()}>
            {t.passkeyAdd}
          </Button>
        </Group>
      )}
    </Section>
  )
}

function List({
  passkeys,
  changed,
}: {
  readonly passkeys: readonly Passkey[]
  readonly changed: () => Promise<unknown>
}) {
  const t = useTexts(securityTexts)
  const format = useFormats()
  const buttons = (id: string, name: string) => (
    <Group gap="xs" wrap="nowrap">
      <Rename id={id} name={name} changed={changed} />
      <RemoveButton
        label={t.remove}
        title={t.removeOf(name)}
        ask={t.removeAsk}
        work={async () => {
          await act('/auth/passkey/delete-passkey', { body: { id } })
          await changed()
        }}
      />
    </Group>
  )
  return (
    <DataTable
      label={t.passkeys}
      minWidth={360}
      columns={[
        { head: t.passkeyName, cell: ({ name }) => name ?? t.unknown },
        { head: t.added, kind: 'line', cell: ({ createdAt }) => format.day(createdAt) },
        { head: t.actions, kind: 'actions', cell: ({ id, name }) => buttons(id, name ?? t.unknown) },
      ]}
      rows={passkeys}
      keyOf={({ id }) => id}
    />
  )
}

function Rename({
  id,
  name,
  changed,
}: {
  readonly id: string
  readonly name: string
  readonly changed: () => Promise<unknown>
}) {
  const t = useTexts(securityTexts)
  const [next, setNext] = useState(name)
  return (
    <AskingButton
      label={t.rename}
      title={t.renameOf(name)}
      ask={
        <TextInput
          label={t.passkeyName}
          maxLength={100}
          data-autofocus
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
      }
      size="compact-xs"
      variant="light"
      work={async () => {
        await act('/auth/passkey/update-passkey', { body: { id, name: next.trim() || name } })
        await changed()
      }}
    />
  )
}
