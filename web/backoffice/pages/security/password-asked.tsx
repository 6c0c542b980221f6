// Button that asks for the password first.
import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { securityTexts } from './i18n.ts'

export function PasswordAsked({
  label,
  ask,
  work,
}: {
  readonly label: string
  readonly ask: string
  readonly work: (password: string) => Promise<void>
}) {
  const t = useTexts(securityTexts)
  const [isOpen, setIsOpen] = useState(false)
  const [password, setPassword] = useState('')
  const doing = useDoing(work)
  function close() {
    setIsOpen(false)
    setPassword('')
    doing.forget()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    void doing.start(password).then((isDone) => isDone && close())
  }
  return (
    <>
      <Button variant="light" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog opened={isOpen} close={close} title={label}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{ask}</Text>
            <Refused problem={doing.problem} />
            <PasswordInput
              label={t.current}
              autoComplete="current-password"
              maxLength={128}
              required
              withAsterisk={false}
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <FormEnd label={label} busy={doing.busy} cancel={close} />
          </Stack>
        </form>
      </Dialog>
    </>
  )
}
