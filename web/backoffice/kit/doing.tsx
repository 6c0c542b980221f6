// Doing something from a page: one at a time, its refusal in words.
import { Alert } from '@mantine/core'
import { useRef, useState } from 'react'
import { useErrorMessage } from '../i18n/use-error-message.ts'

export interface Doing<Arguments extends readonly unknown[]> {
  readonly busy: boolean
  /** Why it was refused. */
  readonly problem: string | undefined
  /** Answers whether it was done; nothing happens while it is being done. */
  start(...given: Arguments): Promise<boolean>
  forget(): void
}

/** What a button or a form does. @param closer words for an error that are closer to the matter than those of the gateway */
export function useDoing<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
  closer?: (error: unknown) => string | undefined,
): Doing<Arguments> {
  const said = useErrorMessage()
  const [busy, setBusy] = useState(false)
  // The second click of a double one comes before the button is drawn as busy.
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
