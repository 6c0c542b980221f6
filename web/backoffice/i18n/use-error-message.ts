// Errors in words, for whatever shows one.
import { useContext } from 'react'
import { ApiError } from '../api.ts'
import { shellTexts } from '../shell/i18n.ts'
import { LanguageContext } from './language.ts'
import { saidIn } from './refusals/said.ts'

/** Says what went wrong in the language that is chosen: a lost connection, a refusal of the gateway, or a fault. */
export function useErrorMessage(): (error: unknown) => string {
  const { language } = useContext(LanguageContext)
  return (error) => {
    if (!(error instanceof ApiError)) return String((error as Error | undefined)?.message ?? error)
    return error.isOffline ? shellTexts[language].offline : saidIn(language, error)
  }
}
