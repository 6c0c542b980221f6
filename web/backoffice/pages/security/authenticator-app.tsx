// Setup and backup codes of the authenticator app.
import { Code, Group, Image, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { renderSVG } from 'uqr'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useSession } from '../../session.ts'
import { securityTexts } from './i18n.ts'
import { PasswordAsked } from './password-asked.tsx'
import { Secret } from './secret.tsx'
import { Section } from './section.tsx'

interface Enrolment {
  readonly totpURI: string
  readonly backupCodes: string[]
}

export function AuthenticatorApp() {
  const t = useTexts(securityTexts)
  const { two_factor: isOn } = useSession()
  const client = useQueryClient()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<string[]>()
  return (
    <Section title={t.app}>
      <Text size="sm" c="dimmed">
        {isOn ? t.appOn : t.appOff}
      </Text>
      {isOn ? (
        <Group>
          <PasswordAsked
            label={t.newCodes}
            ask={t.newCodesAsk}
            work={async (password) => {
              const path = '/auth/two-factor/generate-backup-codes'
              const made = await act<{ backupCodes: string[] }>(path, { body: { password } })
              setCodes(made.backupCodes)
            }}
          />
          <PasswordAsked
            label={t.appStop}
            ask={t.appStopAsk}
            work={async (password) => {
              await act('/auth/two-factor/disable', { body: { password } })
              await client.invalidateQueries()
            }}
          />
        </Group>
      ) : (
        <Group>
          <PasswordAsked
            label={t.appStart}
            ask={t.appOff}
            work={async (password) => {
              setEnrolment(await act<Enrolment>('/auth/two-factor/enable', { body: { password } }))
            }}
          />
        </Group>
      )}
      <Dialog opened={enrolment !== undefined} close={() => setEnrolment(undefined)} title={t.app} stays>
        {enrolment !== undefined && (
          <Verify
            uri={enrolment.totpURI}
            cancel={() => setEnrolment(undefined)}
            onDone={async () => {
              setCodes(enrolment.backupCodes)
              setEnrolment(undefined)
              await client.invalidateQueries()
            }}
          />
        )}
      </Dialog>
      <Dialog opened={codes !== undefined} close={() => setCodes(undefined)} title={t.codes} stays>
        <Stack>
          <Text size="sm">{t.codesText}</Text>
          <Secret value={(codes ?? []).join('\n')} onDone={() => setCodes(undefined)} />
        </Stack>
      </Dialog>
    </Section>
  )
}

/** Writes the secret in groups of four, for users who must type it. */
const inFours = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')

function Verify({
  uri,
  cancel,
  onDone,
}: {
  readonly uri: string
  readonly cancel: () => void
  readonly onDone: () => Promise<void>
}) {
  const t = useTexts(securityTexts)
  const [code, setCode] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const isCode = /^\d{6}$/.test(code.trim())
  const doing = useDoing(async () => {
    await act('/auth/two-factor/verify-totp', { body: { code: code.trim() } })
    await onDone()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    if (isCode) void doing.start()
  }
  const drawing = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4 }))}`
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{t.scan}</Text>
        <Image src={drawing} alt={t.qr} w={220} mx="auto" radius="sm" />
        <Code block className="identifier wrapped" data-secret>
          {inFours(new URL(uri).searchParams.get('secret') ?? '')}
        </Code>
        <Refused problem={doing.problem} />
        <TextInput
          label={t.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          data-autofocus
          value={code}
          error={isChecked && !isCode ? t.codeHint : undefined}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <FormEnd label={t.verify} busy={doing.busy} cancel={cancel} />
      </Stack>
    </form>
  )
}
