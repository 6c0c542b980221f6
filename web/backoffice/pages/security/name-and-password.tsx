// Forms for the user's name and password.
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { useSession } from '../../session.ts'
import { securityTexts } from './i18n.ts'
import { Section } from './section.tsx'

const passwordLengthMin = 12

export function OwnName() {
  const t = useTexts(securityTexts)
  const session = useSession()
  const client = useQueryClient()
  const [name, setName] = useState(session.name)
  const [isDone, setIsDone] = useState(false)
  const isMissing = name.trim() === ''
  const doing = useDoing(async () => {
    await act('/auth/update-user', { body: { name: name.trim() } })
    await client.invalidateQueries({ queryKey: ['session'] })
    setIsDone(true)
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isMissing) void doing.start()
  }
  return (
    <Section title={t.name}>
      <form onSubmit={submit} noValidate>
        <Stack align="flex-start">
          <Refused problem={doing.problem} />
          <TextInput
            w="100%"
            label={t.name}
            autoComplete="name"
            maxLength={100}
            value={name}
            error={isMissing ? t.nameHint : undefined}
            onChange={(event) => {
              setName(event.currentTarget.value)
              setIsDone(false)
            }}
          />
          <Button type="submit" variant="light" loading={doing.busy}>
            {t.save}
          </Button>
          <Text role="status" size="sm">
            {isDone ? t.saved : ''}
          </Text>
        </Stack>
      </form>
    </Section>
  )
}

export function OwnPassword() {
  const t = useTexts(securityTexts)
  const { email } = useSession()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const isShort = next.length < passwordLengthMin
  const doing = useDoing(async () => {
    await act('/auth/change-password', { body: { currentPassword: current, newPassword: next } })
    // A new password starts a new session with a new CSRF token, so the page reads it again.
    await client.invalidateQueries()
    setCurrent('')
    setNext('')
    setIsChecked(false)
    setIsDone(true)
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    setIsDone(false)
    if (!isShort && current !== '') void doing.start()
  }
  return (
    <Section title={t.password}>
      <form onSubmit={submit} noValidate>
        <Stack align="flex-start">
          <Refused problem={doing.problem} />
          <input type="email" hidden readOnly autoComplete="username" value={email} />
          <PasswordInput
            w="100%"
            label={t.current}
            autoComplete="current-password"
            maxLength={128}
            value={current}
            error={isChecked && current === '' ? t.current : undefined}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            w="100%"
            label={t.next}
            description={t.nextHint}
            autoComplete="new-password"
            maxLength={128}
            value={next}
            error={isChecked && isShort ? t.nextHint : undefined}
            onChange={(event) => setNext(event.currentTarget.value)}
            onBlur={() => next !== '' && setIsChecked(true)}
          />
          <Button type="submit" variant="light" loading={doing.busy}>
            {t.change}
          </Button>
          <Text role="status" size="sm">
            {isDone ? t.changed : ''}
          </Text>
        </Stack>
      </form>
    </Section>
  )
}
