// Settings, fees and suspension of one merchant.
import {
  Alert,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  MerchantAnswer,
  MerchantChange,
} from '../../../../src/backoffice/contract/operator/merchants.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Loaded, PageHead } from '../../kit/page.tsx'
import { Problem } from '../../shell/problems.tsx'
import { paymentTexts } from '../payments/i18n.ts'
import { merchantTexts } from './merchant-texts.ts'
import { useOperatorQuery, useOperatorVerb } from './parts.tsx'

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const t = useTexts(merchantTexts)
  const query = useOperatorQuery<MerchantAnswer>(`/merchants/${id}`)
  return (
    <>
      <PageHead
        title={query.data?.name ?? t.title}
        actions={
          <>
            <Button variant="default" component={Link} to={`/wallets/${id}`}>
              {t.read}
            </Button>
            {query.data && <Suspension merchant={query.data} />}
          </>
        }
      />
      <Loaded query={query}>
        {(merchant) => (
          <Stack gap="lg">
            {merchant.suspended !== null && (
              <SuspendedNote since={merchant.suspended} reason={merchant.suspended_reason} />
            )}
            <Facts merchant={merchant} />
            <Settings key={JSON.stringify(merchant)} merchant={merchant} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function SuspendedNote({ since, reason }: { readonly since: string; readonly reason: string | null }) {
  const t = useTexts(merchantTexts)
  const format = useFormats()
  return (
    <Alert color="yellow" title={t.suspendedSince(format.moment(since))} role="status">
      {reason !== null && <Text size="sm">{reason}</Text>}
      {t.suspendedText}
    </Alert>
  )
}

function Suspension({ merchant }: { readonly merchant: MerchantAnswer }) {
  const t = useTexts(merchantTexts)
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const { wallet_id, name, suspended } = merchant
  // This is decided when the dialog opens, so that its text does not change while it closes.
  const [ends, setEnds] = useState(false)
  const isSuspended = suspended !== null
  const body = { suspended: !ends, ...(!ends && reason.trim() !== '' && { suspended_reason: reason.trim() }) }
  const changing = useOperatorVerb<MerchantAnswer>(
    () => [`/merchants/${wallet_id}`, { method: 'PATCH', body }],
    { said: ends ? t.resumed : t.suspendedDone, done: () => setAsking(false) },
  )
  const label = ends ? t.resume : t.suspend
  const color = ends ? {} : ({ color: 'red' } as const)
  return (
    <>
      <Button
        {...(!isSuspended && { color: 'red' })}
        variant={isSuspended ? 'filled' : 'light'}
        onClick={() => {
          setEnds(isSuspended)
          setAsking(true)
        }}
      >
        {isSuspended ? t.resume : t.suspend}
      </Button>
      <Dialog
        opened={asking}
        close={() => setAsking(false)}
        title={ends ? t.resumeTitle(name) : t.suspendTitle(name)}
      >
        <Stack>
          <Text size="sm">{ends ? t.resumeText : t.suspendText}</Text>
          {!ends && (
            <TextInput
              label={t.suspendReason}
              description={t.suspendReasonHint}
              value={reason}
              maxLength={300}
              onChange={({ currentTarget: { value } }) => setReason(value)}
            />
          )}
          {changing.error !== null && <Problem error={changing.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {t.cancel}
            </Button>
            <Button {...color} loading={changing.isPending} onClick={() => changing.mutate()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

function Facts({ merchant }: { readonly merchant: MerchantAnswer }) {
  const t = useTexts(merchantTexts)
  const format = useFormats()
  const facts = [
    [t.number, merchant.wallet_id],
    [t.publicId, merchant.public_id],
    [t.balance, format.money(merchant.balance)],
    [t.onItsWay, format.money(merchant.on_its_way)],
    [t.reference, merchant.bank_reference],
    [t.keys, merchant.keys],
    [t.since, format.day(merchant.created)],
  ] as const
  return (
    <Paper withBorder p="md" component="section" aria-label={t.facts}>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text className="identifier">{value}</Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  )
}

const textFields = [
  'name',
  'email',
  'phone',
  'iban',
  'callback_url',
  'split_fee_fixed',
  'split_fee_variable',
  'payment_limit',
  'day_limit',
  'payout_day_limit',
] as const
const limitFields = ['payment_limit', 'day_limit', 'payout_day_limit'] as const
const mayBeEmpty = new Set<string>(['phone', 'iban', 'callback_url', ...limitFields])

interface Draft {
  readonly texts: Readonly<Record<(typeof textFields)[number], string>>
  readonly lists: Readonly<Record<'rights' | 'methods' | 'subscription_methods', string[]>>
  readonly fees: Readonly<Record<string, string>>
  readonly bearsCharges: boolean
  readonly mbRefunds: boolean
}

function draftOf(merchant: MerchantAnswer): Draft {
  const { rights, methods, subscription_methods, fees, known } = merchant
  return {
    texts: {
      ...(Object.fromEntries(textFields.map((field) => [field, merchant[field] ?? ''])) as Draft['texts']),
      split_fee_variable: percentOf(merchant.split_fee_variable),
    },
    lists: { rights, methods, subscription_methods },
    bearsCharges: merchant.bank_charges_passed_on,
    mbRefunds: merchant.mb_refunds,
    fees: Object.fromEntries(
      Object.entries(fees).map(([method, price]) => [
        method,
        price === known.default_fees[method] ? '' : price,
      ]),
    ),
  }
}

/** The API has fractions, and the page shows percent. */
const percentOf = (part: string) => String(Number((Number(part) * 100).toFixed(2)))

/** A text that is not a percentage stays as it is, and the gateway refuses it. */
function partOf(percent: string): string {
  const typed = percent.replace(',', '.').replace(/\s*%$/, '')
  return /^\d{1,3}(\.\d{1,2})?$/.test(typed) ? (Number(typed) / 100).toFixed(4) : percent
}

/** The fields that the user changed, in the form of the API. */
function changesOf(before: Draft, after: Draft): MerchantChange {
  const texts = textFields
    .filter((field) => before.texts[field] !== after.texts[field].trim())
    .map((field) => {
      const typed = after.texts[field].trim()
      const text = field === 'split_fee_variable' ? partOf(typed) : typed
      return [field, text === '' && mayBeEmpty.has(field) ? null : text]
    })
  const lists = Object.entries(after.lists).filter(
    ([field, words]) => [...before.lists[field as 'rights']].sort().join() !== [...words].sort().join(),
  )
  const fees = Object.entries(after.fees)
    .filter(([method, price]) => before.fees[method] !== price)
    .map(([method, price]) => [method, price.replaceAll(',', '.').replaceAll(/\s/g, '')])
  return Object.fromEntries([
    ...texts,
    ...lists,
    ...(before.bearsCharges === after.bearsCharges ? [] : [['bank_charges_passed_on', after.bearsCharges]]),
    ...(before.mbRefunds === after.mbRefunds ? [] : [['mb_refunds', after.mbRefunds]]),
    ...(fees.length > 0 ? [['fees', Object.fromEntries(fees)]] : []),
  ]) as MerchantChange
}

function Settings({ merchant }: { readonly merchant: MerchantAnswer }) {
  const t = useTexts(merchantTexts)
  const before = draftOf(merchant)
  const [draft, setDraft] = useState(before)
  const changes = changesOf(before, draft)
  const isChanged = Object.keys(changes).length > 0
  const saving = useOperatorVerb<MerchantAnswer>(
    () => [`/merchants/${merchant.wallet_id}`, { method: 'PATCH', body: changes }],
    { said: t.savedText },
  )
  const labels = {
    name: t.name,
    email: t.email,
    phone: t.phone,
    iban: t.iban,
    callback_url: t.callbackUrl,
    split_fee_fixed: t.splitFixed,
    split_fee_variable: t.splitVariable,
  }
  const lists = { rights: t.rights, methods: t.methods, subscription_methods: t.subscriptionMethods }
  return (
    <form
      aria-label={t.settings}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !saving.isPending) saving.mutate()
      }}
    >
      <Stack gap="lg">
        <section>
          <Title order={2} mb="sm">
            {t.settings}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {(Object.keys(labels) as (keyof typeof labels)[]).map((field) => (
              <TextInput
                key={field}
                label={labels[field]}
                value={draft.texts[field]}
                onChange={({ currentTarget: { value } }) =>
                  setDraft({ ...draft, texts: { ...draft.texts, [field]: value } })
                }
              />
            ))}
            {(Object.keys(lists) as (keyof typeof lists)[]).map((field) => (
              <MultiSelect
                key={field}
                label={lists[field]}
                data={merchant.known[field]}
                value={draft.lists[field]}
                onChange={(words) => setDraft({ ...draft, lists: { ...draft.lists, [field]: words } })}
              />
            ))}
          </SimpleGrid>
        </section>
        <Limits merchant={merchant} draft={draft} setDraft={setDraft} />
        <Fees merchant={merchant} draft={draft} setDraft={setDraft} />
        <Checkbox
          label={t.bearsCharges}
          checked={draft.bearsCharges}
          onChange={({ currentTarget: { checked } }) => setDraft({ ...draft, bearsCharges: checked })}
        />
        <Checkbox
          label={t.mbRefunds}
          checked={draft.mbRefunds}
          onChange={({ currentTarget: { checked } }) => setDraft({ ...draft, mbRefunds: checked })}
        />
        {saving.error !== null && <Problem error={saving.error} />}
        <Group>
          <Button type="submit" disabled={!isChanged} loading={saving.isPending}>
            {t.save}
          </Button>
          {!isChanged && <Text c="dimmed">{t.nothing}</Text>}
        </Group>
      </Stack>
    </form>
  )
}

interface PartProps {
  readonly merchant: MerchantAnswer
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
}

function Limits({ merchant, draft, setDraft }: PartProps) {
  const t = useTexts(merchantTexts)
  const format = useFormats()
  const labels = { payment_limit: t.paymentLimit, day_limit: t.dayLimit, payout_day_limit: t.payoutDayLimit }
  return (
    <section>
      <Title order={2}>{t.limits}</Title>
      <Text c="dimmed" size="sm" mb="sm">
        {t.limitsAbout}
        {merchant.taken_today !== null && ` ${t.takenToday(format.money(merchant.taken_today))}`}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {limitFields.map((field) => (
          <TextInput
            key={field}
            label={labels[field]}
            placeholder={t.noLimit}
            inputMode="decimal"
            maxLength={20}
            value={draft.texts[field]}
            onChange={({ currentTarget: { value } }) =>
              setDraft({ ...draft, texts: { ...draft.texts, [field]: value.replace(',', '.') } })
            }
          />
        ))}
      </SimpleGrid>
    </section>
  )
}

function Fees({ merchant, draft, setDraft }: PartProps) {
  const t = useTexts(merchantTexts)
  const { methods: names } = useTexts(paymentTexts)
  return (
    <section>
      <Title order={2}>{t.fees}</Title>
      <Text c="dimmed" size="sm" mb="sm">
        {t.feesAbout}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {Object.entries(draft.fees).map(([method, price]) => (
          <TextInput
            key={method}
            label={t.feeOf(names[method] ?? method)}
            description={t.usual(merchant.known.default_fees[method] ?? '')}
            value={price}
            maxLength={20}
            onChange={({ currentTarget: { value } }) =>
              setDraft({ ...draft, fees: { ...draft.fees, [method]: value } })
            }
          />
        ))}
      </SimpleGrid>
    </section>
  )
}
