// Form for a Multibanco reference.
import {
  Alert,
  Button,
  CopyButton,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { act } from '../../../api.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { lisbonDay, lisbonMinute } from '../../../i18n/lisbon.ts'
import { AmountField } from '../../../kit/amount-field.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { Refused } from '../../../kit/doing.tsx'
import { FormEnd } from '../../../kit/form-end.tsx'
import { useForm } from '../../../kit/use-form.ts'
import { useWallet } from '../../../session.ts'
import { newTexts } from './i18n.ts'
import { mistakesOf, newReference, type ReferenceKind, referenceKinds, requestOf } from './reference-form.ts'
import { useMakingOnce } from './use-making-once.ts'

interface MadeReference {
  readonly mb: { readonly entity: string; readonly ref: string }
  readonly amount?: number
  readonly expires?: string
}

/** The gateway requires this many days until the end of a time-limited reference. */
const aheadDaysMin = 2

/** The kinds of reference that the role, the rights and the methods allow. */
export function useReferenceKinds(): readonly ReferenceKind[] {
  const { may, membership, isSuspended } = useWallet()
  // A suspended merchant has no methods. The button is still shown, and says why it is off.
  const isOffered = isSuspended || membership?.methods.includes('MB') === true
  if (membership?.rights.includes('partner') !== true || !isOffered) return []
  return referenceKinds.filter((kind) => may(kind === 'recurring' ? 'mb_reference' : 'mb_pay'))
}

export function NewReference({
  kinds,
  close,
  made,
}: {
  readonly kinds: readonly ReferenceKind[]
  readonly close: () => void
  readonly made: () => Promise<unknown>
}) {
  const t = useTexts(newTexts)
  const { api } = useWallet()
  const [reference, setReference] = useState<MadeReference>()
  const fields = useForm(
    () => newReference(kinds[0] ?? 'fixed'),
    (form) =>
      mistakesOf(form, { firstDay: lisbonDay(aheadDaysMin), today: lisbonDay(), now: lisbonMinute() }),
    t.wrong,
  )
  const { form, change, of } = fields
  const making = useMakingOnce(async (key) => {
    const { path, body } = requestOf(form)
    setReference(await act<MadeReference>(api + path, { body, key }))
    await made()
  }, made)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (fields.isRight()) void making.start()
  }

  if (reference !== undefined) {
    return (
      // Only a button closes this dialog: a double click must not close it before the user has read it.
      <Dialog opened close={close} title={t.referenceReady} stays>
        <Ready reference={reference} close={close} />
      </Dialog>
    )
  }
  const last = { type: 'date', min: lisbonDay(form.kind === 'recurring' ? 1 : aheadDaysMin) } as const
  return (
    <Dialog opened close={close} title={t.newReference}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Select
            label={t.kind}
            description={t.kindAbout[form.kind]}
            data={kinds.map((value) => ({ value, label: t.kinds[value] }))}
            value={form.kind}
            allowDeselect={false}
            data-autofocus
            onChange={(kind) => change({ kind: kind as ReferenceKind })}
          />
          {form.kind === 'recurring' ? (
            <SimpleGrid cols={2}>
              <AmountField {...of('least')} label={t.least} required />
              <AmountField {...of('most')} label={t.most} required />
            </SimpleGrid>
          ) : (
            <AmountField {...of('amount')} label={t.amount} required />
          )}
          {form.kind === 'time_limited' && <TextInput {...of('day')} {...last} label={t.lastDay} required />}
          {form.kind === 'recurring' && (
            <TextInput {...of('day')} {...last} label={t.lastDay} description={t.lastDayHint} />
          )}
          {form.kind === 'instant' && (
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput {...of('ends')} label={t.ends} type="datetime-local" min={lisbonMinute()} required />
              <TextInput {...of('starts')} label={t.starts} type="datetime-local" min={lisbonMinute()} />
            </SimpleGrid>
          )}
          <TextInput {...of('invoice')} label={t.invoice} maxLength={45} />
          <TextInput {...of('email')} label={t.email} type="email" maxLength={100} autoComplete="off" />
          <Refused problem={making.problem} />
          {making.madeBefore && (
            <Button variant="light" onClick={() => fields.isRight() && making.another()}>
              {t.makeAnother}
            </Button>
          )}
          <FormEnd label={t.makeReference} busy={making.busy} cancel={close} />
        </Stack>
      </form>
    </Dialog>
  )
}

function Ready({ reference, close }: { readonly reference: MadeReference; readonly close: () => void }) {
  const t = useTexts(newTexts)
  const format = useFormats()
  const { mb, amount, expires } = reference
  const ref = mb.ref.replace(/(\d{3})(?=\d)/g, '$1 ')
  const facts = [
    [t.entity, mb.entity],
    [t.ref, ref],
    ...(amount === undefined ? [] : [[t.amountShown, format.money(amount)]]),
    ...(expires === undefined ? [] : [[t.payableUntil, format.moment(expires)]]),
  ] as const
  return (
    <Stack>
      <Text size="sm">{t.handOver}</Text>
      <Table variant="vertical" layout="fixed">
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td className="number" fw={600}>
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {amount === undefined && <Alert p="sm">{t.firstDay}</Alert>}
      <Group justify="flex-end">
        <CopyButton value={facts.map((fact) => fact.join(': ')).join('\n')}>
          {({ copied, copy }) => (
            <Button variant="light" onClick={copy}>
              {copied ? t.copied : t.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={close}>{t.done}</Button>
      </Group>
    </Stack>
  )
}
