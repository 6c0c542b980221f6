// Making one thing by a form whose answer may be lost: sent again it is made once, and a form that was changed since says so.
import { useState } from 'react'
import { ApiError } from '../../../api.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useDoing } from '../../../kit/doing.tsx'
import { newTexts } from './i18n.ts'

/** The key was sent before, with another body: that one was made, or is being made. */
const sentOtherwise = 10015

/**
 * @param make sends the form under `key`
 * @param look reads the list again, in which a thing may be whose answer never came
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
    /** What was sent first is made; what stands in the form now is not. */
    madeBefore,
    /** Makes what stands in the form beside it. */
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
