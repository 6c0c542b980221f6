// Creates a record once, even if an answer is lost.
import { useState } from 'react'
import { ApiError } from '../../../api.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useDoing } from '../../../kit/doing.tsx'
import { newTexts } from './i18n.ts'

/** The gateway answers this if the key was used with another body. */
const sentOtherwise = 10015

/**
 * @param make sends the form with `key`
 * @param look reloads the list, which may contain the earlier result
 */
export function useMakingOnce(make: (key: string) => Promise<unknown>, look: () => Promise<unknown>) {
  const t = useTexts(newTexts)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [madeBefore, setMadeBefore] = useState(false)
  const doing = useDoing<[under?: string]>(
    async (under = key) => {
      setMadeBefore(false)
      try {
        await make(under)
      } catch (error) {
        if (error instanceof ApiError && isUnknown(error)) {
          setMadeBefore(error.code === sentOtherwise)
          void look()
        }
        throw error
      }
    },
    (error) => (error instanceof ApiError && error.code === sentOtherwise ? t.madeBefore : undefined),
  )
  return {
    ...doing,
    madeBefore,
    another(): void {
      const fresh = crypto.randomUUID()
      setKey(fresh)
      void doing.start(fresh)
    },
  }
}

function isUnknown(error: ApiError): boolean {
  return error.isOffline || error.status >= 500 || error.code === sentOtherwise
}
