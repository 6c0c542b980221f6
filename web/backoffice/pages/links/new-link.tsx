// Form for a payment link, with a preview.
import { Checkbox, Group, SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { lisbonDay } from '../../i18n/lisbon.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useForm } from '../../kit/use-form.ts'
import { useSession, useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { paymentTexts } from '../payments/i18n.ts'
import { linkTexts } from './i18n.ts'
import { LinkPreview } from './link-preview.tsx'
import { bodyOf, type LinkForm, mistakesOf, newLink, type PaymentLink } from './model.ts'

export interface NewLinkProps {
  readonly close: () => void
  readonly made: (link: PaymentLink) => void
}

export function NewLink({ close, made }: NewLinkProps) {
  const t = useTexts(linkTexts)
  const { api, membership } = useWallet()
  const { methods } = useSession()
  const offered = methods
    .filter(({ code, page_place }) => page_place !== null && membership?.methods.includes(code) === true)
    .toSorted((a, b) => Number(a.page_place) - Number(b.page_place))
    .map(({ code }) => code)
  const fields = useForm(
    () => newLink(offered),
    (typed) => mistakesOf(typed, lisbonDay()),
    t.form.wrong,
  )
  const { form } = fields
  const [key] = useState(() => crypto.randomUUID())
  const make = useMutation({
    mutationFn: () => act<PaymentLink>(`${api}/payment_links`, { body: bodyOf(form), key }),
    onSuccess: made,
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (fields.isRight()) make.mutate()
  }

  return (
    <Dialog opened close={close} title={t.make} size="xl">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <form onSubmit={submit} noValidate>
          <Stack>
            <Amounts {...fields} />
            <Limits {...fields} />
            <Details {...fields} offered={offered} />
            {make.error !== null && <Problem error={make.error} />}
            <FormEnd label={t.form.submit} busy={make.isPending} cancel={close} />
          </Stack>
        </form>
        <LinkPreview form={form} merchant={membership?.name ?? ''} />
      </SimpleGrid>
    </Dialog>
  )
}

type FieldProps = Pick<
  ReturnType<typeof useForm<LinkForm, string>>,
  'form' | 'change' | 'errorOf' | 'leave' | 'of'
>

function Amounts({ form, change, of }: FieldProps) {
  const { form: t } = useTexts(linkTexts)
  const euros = (field: 'amount' | 'least' | 'most', label: string) => (
    <AmountField {...of(field)} label={label} required />
  )
  return (
    <>
      <TextInput
        label={t.description}
        description={t.descriptionHint}
        {...of('description')}
        maxLength={255}
        required
        data-autofocus
      />
      <SegmentedControl
        aria-label={t.kind}
        value={form.kind}
        onChange={(kind) => change({ kind: kind as LinkForm['kind'] })}
        data={[
          { value: 'fixed', label: t.fixed },
          { value: 'chosen', label: t.chosen },
        ]}
      />
      {form.kind === 'fixed' ? (
        euros('amount', t.amount)
      ) : (
        <SimpleGrid cols={2}>
          {euros('least', t.least)}
          {euros('most', t.most)}
        </SimpleGrid>
      )}
    </>
  )
}

function Limits({ form, change, of }: FieldProps) {
  const { form: t } = useTexts(linkTexts)
  return (
    <>
      <div>
        <Text size="sm" fw={500} mb={4} id="link-how">
          {t.how}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="link-how"
          value={form.how}
          onChange={(how) => change({ how: how as LinkForm['how'] })}
          data={[
            { value: 'once', label: t.once },
            { value: 'limited', label: t.limited },
            { value: 'many', label: t.many },
          ]}
        />
      </div>
      {form.how === 'limited' && (
        <TextInput {...of('limit')} label={t.limit} inputMode="numeric" autoComplete="off" required />
      )}
      <TextInput
        type="date"
        label={t.expires}
        description={t.expiresHint}
        min={lisbonDay()}
        {...of('expires')}
      />
    </>
  )
}

function Details({ form, change, errorOf, offered }: FieldProps & { readonly offered: readonly string[] }) {
  const { form: t } = useTexts(linkTexts)
  const { methods: names } = useTexts(paymentTexts)
  return (
    <>
      <Checkbox.Group
        label={t.methods}
        value={[...form.methods]}
        onChange={(methods) => change({ methods })}
        error={errorOf('methods')}
      >
        <Group mt={4}>
          {offered.map((method) => (
            <Checkbox key={method} value={method} label={names[method] ?? method} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput
        label={t.invoice}
        value={form.invoice}
        maxLength={45}
        onChange={(event) => change({ invoice: event.currentTarget.value })}
      />
      <Select
        label={t.language}
        value={form.language}
        onChange={(language) => change({ language: (language ?? '') as LinkForm['language'] })}
        allowDeselect={false}
        data={[
          { value: '', label: t.byBrowser },
          { value: 'pt', label: 'Português' },
          { value: 'en', label: 'English' },
        ]}
      />
    </>
  )
}
