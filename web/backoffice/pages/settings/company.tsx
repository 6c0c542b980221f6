// Settings for company, IBAN and stores.
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SettingsAnswer } from '../../../../src/backoffice/contract/settings.ts'
import { isIban } from '../../i18n/iban.ts'
import { useTexts } from '../../i18n/language.ts'
import { afterPointer } from '../../kit/after-pointer.ts'
import { useWallet } from '../../session.ts'
import { isEmail, isName, isPhone, orEmpty, textOrNull } from './fields.ts'
import { settingsTexts } from './i18n.ts'
import { Section, useSave } from './save.tsx'
import { useTextsForm } from './use-texts-form.ts'

interface Props {
  readonly settings: SettingsAnswer
}

export function Company({ settings }: Props) {
  const t = useTexts(settingsTexts)
  const saving = useSave()
  const form = useTextsForm(
    { name: settings.name, email: settings.email, phone: settings.phone ?? '' },
    {
      name: { rule: isName, wrong: t.wrong.name },
      email: { rule: isEmail, wrong: t.wrong.email },
      phone: { rule: orEmpty(isPhone), wrong: t.wrong.phone },
    },
  )
  const submit = () => {
    const { name, email, phone } = form.values
    if (form.check()) saving.mutate({ name, email, phone: textOrNull(phone) })
  }
  return (
    <Section title={t.company} saving={saving} submit={submit}>
      <TextInput label={t.name} required {...form.of('name')} />
      <TextInput label={t.email} description={t.emailHint} type="email" required {...form.of('email')} />
      <TextInput label={t.phone} type="tel" {...form.of('phone')} />
    </Section>
  )
}

export function Iban({ settings }: Props) {
  const t = useTexts(settingsTexts)
  const saving = useSave('/iban', 'PUT')
  const [iban, setIban] = useState(settings.iban ?? '')
  const [isChecked, setIsChecked] = useState(false)
  // Checks the IBAN before the user must type the password.
  const isRight = iban.trim() === '' || isIban(iban)
  return (
    <Section
      title={t.iban}
      about={t.ibanHint}
      action={t.saveIban}
      saving={saving}
      submit={() => {
        setIsChecked(true)
        if (isRight) saving.mutate({ iban: textOrNull(iban) })
      }}
    >
      <TextInput
        aria-label={t.iban}
        value={iban}
        onChange={(event) => setIban(event.currentTarget.value)}
        onBlur={() => afterPointer(() => setIsChecked(true))}
        error={isChecked && !isRight ? t.ibanWrong : undefined}
        className="number"
      />
    </Section>
  )
}

export function Stores({ settings }: Props) {
  const t = useTexts(settingsTexts)
  const saving = useSave()
  const { may } = useWallet()
  const [names, setNames] = useState<Readonly<Record<number, string>>>({})
  const [fresh, setFresh] = useState<readonly string[]>([])
  const renamed = settings.stores.flatMap(({ id, name }) => {
    const next = names[id]
    return next === undefined || next === name ? [] : [{ id, name: next }]
  })
  const isWrong = (name: string) => (isName(name) ? undefined : t.wrong.name)
  const submit = () => {
    if ([...renamed.map(({ name }) => name), ...fresh].some((name) => !isName(name))) return
    saving.mutate({ rename_stores: renamed, add_stores: [...fresh] }, { onSuccess: () => setFresh([]) })
  }
  return (
    <Section title={t.stores} saving={saving} submit={submit}>
      {settings.stores.map(({ id, name }) => (
        <TextInput
          key={id}
          label={t.storeName(id)}
          value={names[id] ?? name}
          error={isWrong(names[id] ?? name)}
          onChange={(event) => setNames({ ...names, [id]: event.currentTarget.value })}
        />
      ))}
      {fresh.map((name, at) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: new stores have no other name than their place.
          key={at}
          label={t.newStore}
          value={name}
          onChange={(event) => setFresh(fresh.with(at, event.currentTarget.value))}
        />
      ))}
      {may('settings') && (
        <Group>
          <Button variant="default" onClick={() => setFresh([...fresh, ''])}>
            {t.addStore}
          </Button>
        </Group>
      )}
    </Section>
  )
}
