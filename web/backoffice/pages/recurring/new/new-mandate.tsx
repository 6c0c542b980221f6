// Form for a mandate.
import { Alert, Button, Select, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { act } from '../../../api.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { Refused } from '../../../kit/doing.tsx'
import { FormEnd } from '../../../kit/form-end.tsx'
import { useNotify } from '../../../kit/notify.ts'
import { type Mistakes, useForm } from '../../../kit/use-form.ts'
import { useWallet } from '../../../session.ts'
import { newTexts } from './i18n.ts'
import { useMakingOnce } from './use-making-once.ts'

const mandateTypes = ['ONECLICK', 'SUBSCRIPTION'] as const

interface MandateForm {
  readonly phone: string
  readonly type: (typeof mandateTypes)[number]
  readonly name: string
}

const mistakesOf = ({ phone }: MandateForm): Mistakes<MandateForm, 'phone'> =>
  /^\+[\d\s().-]{6,24}$/.test(phone.trim()) ? {} : { phone: 'phone' }

export function useMayAskForMandate(): boolean {
  const { may, membership, isSuspended } = useWallet()
  const isPartner = membership?.rights.includes('partner') === true
  return isPartner && (isSuspended || membership.methods.includes('MBWAY')) && may('mandates')
}

export function NewMandate({
  close,
  made,
}: {
  readonly close: () => void
  readonly made: () => Promise<unknown>
}) {
  const t = useTexts(newTexts)
  const say = useNotify()
  const { api } = useWallet()
  const fields = useForm<MandateForm, 'phone'>(
    () => ({ phone: '+351', type: 'ONECLICK', name: '' }),
    mistakesOf,
    t.wrong,
  )
  const { form, change, of } = fields
  const asking = useMakingOnce(async (key) => {
    const name = form.name.trim()
    const body = { phone: form.phone.trim(), type: form.type, ...(name !== '' && { name }) }
    await act(`${api}/mandate/mbway`, { body, key })
    await made()
    say(t.asked)
    close()
  }, made)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (fields.isRight()) void asking.start()
  }

  return (
    <Dialog opened close={close} title={t.newMandate}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            {...of('phone')}
            label={t.phone}
            description={t.phoneHint}
            type="tel"
            maxLength={25}
            autoComplete="off"
            required
            data-autofocus
          />
          <Select
            label={t.mandateType}
            description={t.typeAbout[form.type]}
            data={mandateTypes.map((value) => ({ value, label: t.types[value] }))}
            value={form.type}
            allowDeselect={false}
            onChange={(type) => change({ type: type as MandateForm['type'] })}
          />
          <TextInput {...of('name')} label={t.name} maxLength={255} autoComplete="off" />
          <Alert p="sm">{t.asksPhone}</Alert>
          <Refused problem={asking.problem} />
          {asking.madeBefore && (
            <Button variant="light" onClick={() => fields.isRight() && asking.another()}>
              {t.makeAnother}
            </Button>
          )}
          <FormEnd label={t.ask} busy={asking.busy} cancel={close} />
        </Stack>
      </form>
    </Dialog>
  )
}
