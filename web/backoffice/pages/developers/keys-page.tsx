// API keys of a merchant.
import { Anchor, Badge, Button, Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { KeysAnswer, NewKeyAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { RemoveButton } from '../../kit/confirm-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { Empty, Loaded } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { DevelopersFrame } from './developers-frame.tsx'
import { developersTexts } from './i18n.ts'
import { ShownOnce } from './shown-once.tsx'

export function Page() {
  const t = useTexts(developersTexts)
  const { api, id, may, membership } = useWallet()
  const [isMaking, setIsMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const query = useQuery({
    queryKey: [api, 'developers', 'keys'],
    queryFn: ({ signal }) => read<KeysAnswer>(`${api}/developers/keys`, signal),
  })
  const newKey = may('keys') && <Button onClick={() => setIsMaking(true)}>{t.newKey}</Button>
  return (
    <DevelopersFrame section="keys" about={t.keysAbout} actions={newKey}>
      <Loaded query={query}>
        {(answer) => (
          <>
            {answer.keys.length === 0 ? (
              <Empty title={t.noKeys} action={newKey}>
                {t.noKeysText}
              </Empty>
            ) : (
              <Keys answer={answer} refetch={query.refetch} />
            )}
            <Dialog opened={isMaking} close={() => setIsMaking(false)} title={t.newKey}>
              <NewKey
                answer={answer}
                onCancel={() => setIsMaking(false)}
                onMade={(key) => {
                  setIsMaking(false)
                  setMade(key)
                  void query.refetch()
                }}
              />
            </Dialog>
          </>
        )}
      </Loaded>
      {membership?.rights.includes('partner') === true && (
        <Anchor component={Link} to={`/wallets/${id}/developers/callbacks` as string} size="sm" mt="md">
          {t.esbElsewhere}
        </Anchor>
      )}
      <ShownOnce title={t.keyMade} secret={made} onClose={() => setMade(undefined)} />
    </DevelopersFrame>
  )
}

function Keys({
  answer,
  refetch,
}: {
  readonly answer: KeysAnswer
  readonly refetch: () => Promise<unknown>
}) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  const { api, may } = useWallet()

  function stateOf({ id, name, revoked }: KeysAnswer['keys'][number]) {
    if (revoked !== null || !may('keys')) {
      return (
        <Badge color={revoked === null ? 'green' : 'gray'} variant="light" tt="none">
          {revoked === null ? t.live : t.revoked}
        </Badge>
      )
    }
    return (
      <RemoveButton
        label={t.revoke}
        title={t.revokeKey(name ?? id)}
        ask={t.revokeAsk}
        work={async () => {
          await act(`${api}/developers/keys/${id}`, { method: 'DELETE' })
          await refetch()
        }}
      />
    )
  }

  return (
    <DataTable
      label={t.keys}
      minWidth={720}
      columns={[
        { head: t.name, cell: ({ name }) => name && <b>{name}</b> },
        { head: t.id, kind: 'line', cell: ({ id }) => <span className="identifier">{id}</span> },
        { head: t.mayDo, cell: ({ permissions }) => <Text size="xs">{permissions.join(', ')}</Text> },
        { head: t.created, kind: 'line', cell: ({ created }) => format.day(created) },
        {
          head: t.lastUsed,
          kind: 'line',
          cell: (key) => (key.last_used_on === null ? t.never : format.day(key.last_used_on)),
        },
        { head: t.state, kind: 'actions', cell: stateOf },
      ]}
      rows={answer.keys}
      keyOf={({ id }) => id}
    />
  )
}

function NewKey({
  answer,
  onCancel,
  onMade,
}: {
  readonly answer: KeysAnswer
  readonly onCancel: () => void
  readonly onMade: (key: string) => void
}) {
  const t = useTexts(developersTexts)
  const { api } = useWallet()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>(answer.permissions_default)
  const [isChecked, setIsChecked] = useState(false)
  const nameProblem = isChecked && name.trim() === '' ? t.nameMissing : undefined
  const permissionsProblem = isChecked && chosen.length === 0 ? t.permissionsMissing : undefined
  const doing = useDoing(async () => {
    const body = { name, permissions: chosen }
    onMade((await act<NewKeyAnswer>(`${api}/developers/keys`, { body })).key)
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    if (name.trim() !== '' && chosen.length > 0) void doing.start()
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Refused problem={doing.problem} />
        <TextInput
          label={t.name}
          description={t.nameHint}
          maxLength={100}
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          error={nameProblem}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => name !== '' && setIsChecked(true)}
        />
        <Checkbox.Group label={t.mayDo} value={chosen} onChange={setChosen} error={permissionsProblem}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
            {answer.permissions.map((permission) => (
              <Checkbox
                key={permission}
                value={permission}
                label={permission}
                description={t.permissionTexts[permission]}
              />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <FormEnd label={t.make} busy={doing.busy} cancel={onCancel} />
      </Stack>
    </form>
  )
}
