// Error messages for the page.
import { useContext } from 'react'
import { ApiError } from '../api.ts'
import { shellTexts } from '../shell/i18n.ts'
import { LanguageContext } from './language.ts'
import { saidIn } from './refusals/said.ts'

export function useErrorMessage(): (error: unknown) => string {
  const { language } = useContext(LanguageContext)
  return (error) => {
    if (!(error instanceof ApiError)) return String((error as Error | undefined)?.message ?? error)
    return error.isOffline ? shellTexts[language].offline : saidIn(language, error)
  }
}
