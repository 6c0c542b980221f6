// Language menu.
import { SegmentedControl } from '@mantine/core'
import { useContext } from 'react'
import { type Language, LanguageContext, useTexts } from '../i18n/language.ts'
import { shellTexts } from './i18n.ts'

export function LanguageChoice() {
  const t = useTexts(shellTexts)
  const { language, choose } = useContext(LanguageContext)
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t.language}
      value={language}
      onChange={(value) => choose(value as Language)}
      data={[
        { value: 'pt', label: 'Português' },
        { value: 'en', label: 'English' },
      ]}
    />
  )
}
