// An action with its progress and its error message.
import { Alert } from '@mantine/core'
import { useRef, useState } from 'react'
import { useErrorMessage } from '../i18n/use-error-message.ts'

export interface Doing<Arguments extends readonly unknown[]> {
  readonly busy: boolean
  readonly problem: string | undefined
  /** Starts the action, and returns whether it succeeded. While one runs, a second start does nothing. */
  start(...given: Arguments): Promise<boolean>
  forget(): void
}

/** @param closer error message that says more than the gateway's */
export function useDoing<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
  closer?: (error: unknown) => string | undefined,
): Doing<Arguments> {
  const said = useErrorMessage()
  const [busy, setBusy] = useState(false)
  // The second click of a double click comes before the button shows as busy.
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
