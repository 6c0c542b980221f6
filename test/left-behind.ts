// Test files share processes: a file that leaves a switch of the whole process on would change those after it.
import { afterAll, expect } from 'vitest'
import { tracing } from '../src/kernel/tracing.ts'

afterAll(() => expect(tracing, 'a test file left its tracing on: end it in afterAll').toBeUndefined())
