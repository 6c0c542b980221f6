// The thread that parses bank files, so that a huge file cannot stop the gateway.
import { parentPort } from 'node:worker_threads'
import { derivedId } from '../../kernel/random.ts'
import type { Result } from '../../kernel/result.ts'
import { FileRefused, textOf } from './document.ts'
import { readBankMessage } from './messages.ts'
import type { ReadFile } from './reader.ts'

parentPort?.on('message', (file: string | Uint8Array) => parentPort?.postMessage(read(file)))

function read(file: string | Uint8Array): Result<ReadFile, string> {
  try {
    const text = typeof file === 'string' ? file : textOf(file)
    return { ok: true, value: { id: derivedId(text, 'bank report'), message: readBankMessage(text) } }
  } catch (error) {
    if (error instanceof FileRefused) return { ok: false, refusal: error.message }
    throw error
  }
}
