// Actions with their error message.
import { Alert } from '@mantine/core'
import { useRef, useState } from 'react'
import { useErrorMessage } from '../i18n/use-error-message.ts'

export interface Doing<Arguments extends readonly unknown[]> {
  readonly busy: boolean
  readonly problem: string | undefined
  /** Returns whether it succeeded. Ignored while one is in progress. */
  start(...given: Arguments): Promise<boolean>
  forget(): void
}

/** @param closer error message that is more precise than the gateway's */
export function useDoing<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
  closer?: (error: unknown) => string | undefined,
): Doing<Arguments> {
  const said = useErrorMessage()
  const [busy, setBusy] = useState(false)
  // A double click arrives before the button shows as busy.
  const isBusy = useRef(false)
  const [problem, setProblem] = useState<string>()
  return {
    busy,
    problem,
    async start(...given) {
      if (isBusy.current) return false
      isBusy.current = true
      setBusy(true)
      setProblem(undefined)
      try {
        await work(...given)
        return true
      } catch (error) {
        setProblem(closer?.(error) ?? said(error))
        return false
      } finally {
        isBusy.current = false
        setBusy(false)
      }
    },
    forget: () => setProblem(undefined),
  }
}

export function Refused({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined) return null
  return (
    <Alert color="red" role="alert" p="sm">
      {problem}
    </Alert>
  )
}
