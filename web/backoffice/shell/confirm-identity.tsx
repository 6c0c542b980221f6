// Dialog that asks for the password or code again.

import { PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { act, onConfirmation } from '../api.ts'
import { type Dictionary, useTexts } from '../i18n/language.ts'
import { Dialog } from '../kit/dialog.tsx'
import { useDoing } from '../kit/doing.tsx'
import { FormEnd } from '../kit/form-end.tsx'

const english = {
  title: 'Confirm your identity',
  why: 'This action moves money or creates a secret. The confirmation is valid for ten minutes.',
  password: 'Your password',
  code: 'Code of your authenticator app',
  confirm: 'Confirm',
}
const texts: Dictionary<typeof english> = {
  en: english,
  pt: {
    title: 'Confirme a sua identidade',
    why: 'Esta ação movimenta dinheiro ou cria um segredo. A confirmação é válida durante dez minutos.',
    password: 'A sua palavra-passe',
    code: 'Código da aplicação de autenticação',
    confirm: 'Confirmar',
  },
}

export function ConfirmIdentity({ hasTwoFactor }: { readonly hasTwoFactor: boolean }) {
  const t = useTexts(texts)
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | undefined>()
  const [value, setValue] = useState('')
  const confirming = useDoing(async () => {
    await act('/confirm', { body: hasTwoFactor ? { code: value } : { password: value } })
    close(true)
  })

  useEffect(() => {
    onConfirmation(() => new Promise((resolve) => setAnswer(() => resolve)))
    return () => onConfirmation(undefined)
  }, [])

  function close(confirmed: boolean) {
    answer?.(confirmed)
    setAnswer(undefined)
    setValue('')
    confirming.forget()
  }

  const field = {
    value,
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value),
    error: confirming.problem,
    required: true,
    withAsterisk: false,
    'data-autofocus': true,
  }
  return (
    <Dialog opened={answer !== undefined} close={() => close(false)} title={t.title} zIndex={400}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirming.start()
        }}
      >
        <Stack>
          <Text size="sm">{t.why}</Text>
          {hasTwoFactor ? (
            <TextInput
              {...field}
              label={t.code}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
            />
          ) : (
            <PasswordInput {...field} label={t.password} autoComplete="current-password" />
          )}
          <FormEnd label={t.confirm} busy={confirming.busy} cancel={() => close(false)} />
        </Stack>
      </form>
    </Dialog>
  )
}
