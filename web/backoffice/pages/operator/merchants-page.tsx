// List of merchants, and the form for a new one.
import { Alert, Anchor, Badge, Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  MerchantsAnswer,
  NewMerchantAnswer,
} from '../../../../src/backoffice/contract/operator/merchants.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { ToCopy } from '../../kit/to-copy.tsx'
import { useSession } from '../../session.ts'
import { merchantTexts } from './merchant-texts.ts'
import { useOperatorQuery, useOperatorVerb, VerbForm } from './parts.tsx'

export function Page() {
  const t = useTexts(merchantTexts)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), 250)
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<NewMerchantAnswer>()
  const navigate = useNavigate()
  const query = useOperatorQuery<MerchantsAnswer>(`/merchants?search=${encodeURIComponent(settled)}`)
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        actions={<Button onClick={() => setCreating(true)}>{t.create}</Button>}
      />
      <TextInput
        label={t.search}
        placeholder={t.searchHint}
        value={search}
        onChange={({ currentTarget: { value } }) => setSearch(value)}
        maw={420}
        mb="md"
        maxLength={100}
      />
      <Loaded query={query}>
        {(answer) =>
          answer.total === 0 ? <Empty title={t.none}>{t.noneText}</Empty> : <Merchants answer={answer} />
        }
      </Loaded>
      <Dialog opened={creating} close={() => setCreating(false)} title={t.create}>
        <CreateForm
          close={() => setCreating(false)}
          done={(merchant) => {
            setCreating(false)
            setMade(merchant)
          }}
        />
      </Dialog>
      <Dialog opened={made !== undefined} close={() => setMade(undefined)} title={made?.name ?? ''} stays>
        {made && (
          <Secrets
            made={made}
            saved={() => void navigate({ to: `/operator/merchants/${made.wallet_id}` as string })}
          />
        )}
      </Dialog>
    </>
  )
}

function Merchants({ answer: { merchants, total } }: { readonly answer: MerchantsAnswer }) {
  const t = useTexts(merchantTexts)
  const format = useFormats()
  return (
    <>
      <DataTable
        label={t.title}
        columns={[
          {
            head: t.name,
            cell: (one) => (
              <Anchor component={Link} to={`/operator/merchants/${one.wallet_id}`}>
                {one.name}
              </Anchor>
            ),
          },
          { head: t.number, kind: 'line', cell: (one) => one.wallet_id },
          { head: t.methods, cell: ({ methods }) => methods.join(', ') },
          { head: t.since, kind: 'line', cell: ({ created }) => format.day(created) },
          { head: t.state, cell: ({ suspended }) => <StateOf suspended={suspended} /> },
        ]}
        rows={merchants}
        keyOf={(one) => String(one.wallet_id)}
      />
      {total > merchants.length && <Text c="dimmed">{t.more(total)}</Text>}
    </>
  )
}

export function StateOf({ suspended }: { readonly suspended: string | null }) {
  const t = useTexts(merchantTexts)
  return (
    <Badge variant="light" color={suspended === null ? 'green' : 'red'} tt="none">
      {suspended === null ? t.active : t.suspended}
    </Badge>
  )
}

const rights = ['partner', 'pci_dss', 'marketplace']

function CreateForm({
  close,
  done,
}: {
  readonly close: () => void
  readonly done: (made: NewMerchantAnswer) => void
}) {
  const t = useTexts(merchantTexts)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const { methods } = useSession()
  const [chosen, setChosen] = useState(() => methods.flatMap((one) => (one.by_default ? [one.code] : [])))
  const [given, setGiven] = useState<string[]>([])
  const creating = useOperatorVerb<NewMerchantAnswer>(
    () => ['/merchants', { body: { name, email, methods: chosen, rights: given } }],
    { done },
  )
  return (
    <VerbForm doing={creating} label={t.create} cancel={close}>
      <TextInput
        label={t.name}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        required
        maxLength={100}
        data-autofocus
      />
      <TextInput
        label={t.email}
        description={t.emailHint}
        type="email"
        value={email}
        onChange={({ currentTarget: { value } }) => setEmail(value)}
        required
        maxLength={100}
      />
      <MultiSelect
        label={t.methods}
        data={methods.map(({ code }) => code)}
        value={chosen}
        onChange={setChosen}
      />
      <MultiSelect
        label={t.rights}
        description={t.rightsHint}
        data={rights}
        value={given}
        onChange={setGiven}
      />
    </VerbForm>
  )
}

function Secrets({ made, saved }: { readonly made: NewMerchantAnswer; readonly saved: () => void }) {
  const t = useTexts(merchantTexts)
  const shown = [
    [t.apiKey, made.api_key],
    [t.callbackUser, made.callback_user],
    [t.callbackSecret, made.callback_secret],
    [t.signingSecret, made.callback_signing_secret],
    [t.esbToken, made.esb_token],
    [t.invitation, made.invitation],
  ] as const
  return (
    <Stack>
      <Alert color="yellow" title={t.shownOnce} role="status">
        {t.shownOnceText}
      </Alert>
      {shown.map(
        ([label, value]) => value !== undefined && <ToCopy key={label} label={label} value={value} />,
      )}
      <Group justify="flex-end">
        <Button onClick={saved}>{t.saved}</Button>
      </Group>
    </Stack>
  )
}
