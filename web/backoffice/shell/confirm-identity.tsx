// The dialog that asks once more for password or code, before money leaves or a secret is made.
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ApiError, act, onConfirmation } from '../api.ts'
import { type Dictionary, useTexts } from '../texts/language.ts'

const english = {
  title: 'Show that it is you',
  why: 'This moves money or makes a secret. You are asked again only after ten minutes.',
  password: 'Your password',
  code: 'Code of your authenticator app',
  confirm: 'Confirm',
  cancel: 'Cancel',
}
const texts: Dictionary<typeof english> = {
  en: english,
  pt: {
    title: 'Confirme que é você',
    why: 'Isto move dinheiro ou cria um segredo. Só voltamos a perguntar daqui a dez minutos.',
    password: 'A sua palavra-passe',
    code: 'Código da aplicação de autenticação',
    confirm: 'Confirmar',
    cancel: 'Cancelar',
  },
}

export function ConfirmIdentity({ hasTwoFactor }: { readonly hasTwoFactor: boolean }) {
  const t = useTexts(texts)
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | undefined>()
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    onConfirmation(() => new Promise((resolve) => setAnswer(() => resolve)))
    return () => onConfirmation(undefined)
  }, [])

  function close(confirmed: boolean) {
    answer?.(confirmed)
    setAnswer(undefined)
    setValue('')
    setProblem(undefined)
  }

  async function confirm() {
    setBusy(true)
    try {
      await act('/confirm', { body: hasTwoFactor ? { code: value } : { password: value } })
      close(true)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  const field = {
    value,
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value),
    error: problem,
    required: true,
    withAsterisk: false,
    'data-autofocus': true,
  }
  return (
    <Modal opened={answer !== undefined} onClose={() => close(false)} title={t.title} zIndex={400}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
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
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close(false)}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {t.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
