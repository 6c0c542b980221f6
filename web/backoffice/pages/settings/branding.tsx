// Settings for logo, colour, links and language.
import {
  Button,
  ColorInput,
  FileButton,
  Group,
  Image,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import type { SettingsAnswer } from '../../../../src/backoffice/contract/settings.ts'
import { checkColour } from '../../../../src/wallets/branding/colour.ts'
import { useTexts } from '../../i18n/language.ts'
import { base64Of } from '../../kit/base64.ts'
import { useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { isEmail, isPhone, isWebAddress, orEmpty, textOrNull } from './fields.ts'
import { settingsTexts } from './i18n.ts'
import { Section, useSave } from './save.tsx'
import { useTextsForm } from './use-texts-form.ts'

interface Props {
  readonly settings: SettingsAnswer
}

const usualColour = '#0b5563'

export function Branding({ settings }: Props) {
  const t = useTexts(settingsTexts)
  const saving = useSave()
  const address = { rule: orEmpty(isWebAddress), wrong: t.wrong.url }
  const form = useTextsForm(
    {
      colour: settings.brand_colour ?? '',
      terms: settings.terms_url ?? '',
      privacy: settings.privacy_url ?? '',
      support: settings.support_url ?? '',
      email: settings.support_email ?? '',
      phone: settings.support_phone ?? '',
      language: settings.page_language ?? '',
    },
    {
      colour: { rule: orEmpty((text) => checkColour(text).ok), wrong: t.tooLight },
      terms: address,
      privacy: address,
      support: address,
      email: { rule: orEmpty(isEmail), wrong: t.wrong.email },
      phone: { rule: orEmpty(isPhone), wrong: t.wrong.phone },
    },
  )
  const { values } = form
  const submit = () => {
    if (!form.check()) return
    saving.mutate({
      brand_colour: textOrNull(values.colour),
      terms_url: textOrNull(values.terms),
      privacy_url: textOrNull(values.privacy),
      support_url: textOrNull(values.support),
      support_email: textOrNull(values.email),
      support_phone: textOrNull(values.phone),
      page_language: textOrNull(values.language) as 'pt' | 'en' | null,
    })
  }
  return (
    <Section title={t.branding} saving={saving} submit={submit}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <Logo settings={settings} />
          <Colour colour={values.colour} set={(colour) => form.set('colour', colour)} />
          <TextInput label={t.terms} type="url" {...form.of('terms')} />
          <TextInput label={t.privacy} type="url" {...form.of('privacy')} />
          <TextInput label={t.support} type="url" {...form.of('support')} />
          <TextInput label={t.supportEmail} type="email" {...form.of('email')} />
          <TextInput label={t.supportPhone} type="tel" {...form.of('phone')} />
          <Select
            label={t.language}
            value={values.language}
            onChange={(language) => form.set('language', language ?? '')}
            allowDeselect={false}
            data={[
              { value: '', label: `${t.usual} (standard)` },
              { value: 'pt', label: 'Português' },
              { value: 'en', label: 'English' },
            ]}
          />
        </Stack>
        <BrandPreview
          merchant={settings.name}
          logo={settings.logo}
          colour={checkColour(values.colour).ok ? values.colour : usualColour}
        />
      </SimpleGrid>
    </Section>
  )
}

/** Checks the contrast of the colour, and suggests the nearest readable one. */
function Colour({ colour, set }: { readonly colour: string; readonly set: (colour: string) => void }) {
  const t = useTexts(settingsTexts)
  const checked = checkColour(colour)
  const wrong = colour !== '' && !checked.ok
  const nearest = checked.ok ? undefined : /(#[0-9a-f]{6})$/.exec(checked.refusal.reason)?.[1]
  const offered = wrong && /too light/.test(checked.refusal.reason) ? nearest : undefined
  return (
    <div>
      <ColorInput
        label={t.colour}
        description={t.colourHint}
        value={colour}
        onChange={set}
        placeholder={usualColour}
        withEyeDropper={false}
        // The colour picker opens above the field, so that it does not cover the buttons.
        popoverProps={{ position: 'top-start', middlewares: { flip: false } }}
        error={wrong ? (offered === undefined ? t.noColour : t.tooLight) : undefined}
        swatches={['#0b5563', '#14599c', '#5b3fa0', '#8a1c4a', '#8a3c00', '#1b6e2f', '#333333']}
      />
      <Group gap="xs" mt={4}>
        {offered !== undefined && (
          <Button size="compact-sm" variant="default" onClick={() => set(offered)}>
            {t.nearest(offered)}
          </Button>
        )}
        {colour !== '' && (
          <Button size="compact-sm" variant="subtle" onClick={() => set('')}>
            {t.ownColour}
          </Button>
        )}
      </Group>
    </div>
  )
}

function Logo({ settings: { logo } }: Props) {
  const t = useTexts(settingsTexts)
  const saving = useSave('/logo', 'PUT')
  const { may } = useWallet()
  const choose = async (file: File | null) => {
    if (file !== null) saving.mutate({ logo: await base64Of(file) })
  }
  return (
    <div>
      <Text size="sm" fw={500}>
        {t.logo}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {t.logoHint}
      </Text>
      <Group>
        {logo !== null && <Image src={logo} alt={t.logo} h={40} w="auto" maw={160} fit="contain" />}
        {may('settings') && (
          <FileButton onChange={(file) => void choose(file)} accept="image/png,image/jpeg,image/webp">
            {(props) => (
              <Button {...props} variant="default" loading={saving.isPending}>
                {t.chooseLogo}
              </Button>
            )}
          </FileButton>
        )}
        {may('settings') && logo !== null && (
          <Button variant="subtle" onClick={() => saving.mutate({ logo: null })}>
            {t.removeLogo}
          </Button>
        )}
      </Group>
      {saving.error !== null && <Problem error={saving.error} />}
    </div>
  )
}
