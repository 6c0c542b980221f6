// Making a payment link: the form, with what the customer will see beside it.
import {
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { act } from '../../api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useForm } from '../../kit/use-form.ts'
import { useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { useLocale, useTexts } from '../../texts/language.ts'
import { lisbonDay } from '../../texts/lisbon.ts'
import { LinkPreview } from './link-preview.tsx'
import { bodyOf, type LinkForm, mistakesOf, newLink, type PaymentLink } from './model.ts'
import { linkTexts, methodNames } from './texts.ts'

/** Methods that a hosted page can offer. */
const pageMethods = ['CC', 'MBWAY', 'MB', 'PAYPAL', 'WALLET', 'SEPA']

export interface NewLinkProps {
  readonly close: () => void
  readonly made: (link: PaymentLink) => void
}

export function NewLink({ close, made }: NewLinkProps) {
  const t = useTexts(linkTexts)
  const { api, membership } = useWallet()
  const offered = pageMethods.filter((method) => membership?.methods.includes(method) === true)
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

type FieldProps = Pick<ReturnType<typeof useForm<LinkForm, string>>, 'form' | 'change' | 'errorOf' | 'leave'>

function Amounts({ form, change, errorOf, leave }: FieldProps) {
  const { form: t } = useTexts(linkTexts)
  const separator = useLocale() === 'pt-PT' ? ',' : '.'
  const euros = (field: 'amount' | 'least' | 'most', label: string) => (
    <NumberInput
      label={label}
      value={form[field]}
      onChange={(value) => change({ [field]: value })}
      onBlur={() => leave(field)}
      error={errorOf(field)}
      decimalSeparator={separator}
      decimalScale={2}
      min={0}
      hideControls
      required
    />
  )
  return (
    <>
      <TextInput
        label={t.description}
        description={t.descriptionHint}
        value={form.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        onBlur={() => leave('description')}
        error={errorOf('description')}
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

function Limits({ form, change, errorOf, leave }: FieldProps) {
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
        <NumberInput
          label={t.limit}
          value={form.limit}
          onChange={(limit) => change({ limit })}
          onBlur={() => leave('limit')}
          error={errorOf('limit')}
          allowDecimal={false}
          min={2}
          max={100_000}
          required
        />
      )}
      <TextInput
        type="date"
        label={t.expires}
        description={t.expiresHint}
        value={form.expires}
        min={lisbonDay()}
        onChange={(event) => change({ expires: event.currentTarget.value })}
        onBlur={() => leave('expires')}
        error={errorOf('expires')}
      />
    </>
  )
}

function Details({ form, change, errorOf, offered }: FieldProps & { readonly offered: readonly string[] }) {
  const { form: t } = useTexts(linkTexts)
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
            <Checkbox key={method} value={method} label={methodNames[method]} />
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
