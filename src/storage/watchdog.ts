// Ends the process when its event loop stands still: then nothing inside it can, only a thread of its own.
import { Worker } from 'node:worker_threads'

const beatMs = 1000

/**
 * Counts its own ticks rather than time, so that a process that was stopped or a machine that slept is not mistaken
 * for one that stands still. Plain JavaScript: a thread that has to strip types first needs three times the memory.
 */
const thread = `
  const { writeSync } = require('node:fs')
  const { workerData } = require('node:worker_threads')
  const { beats, silentBeatsMax, beatMs, message } = workerData
  let last = -1
  let silentBeats = 0
  setInterval(() => {
    const beat = Atomics.load(beats, 0)
    silentBeats = beat === last ? silentBeats + 1 : 0
    last = beat
    if (silentBeats < silentBeatsMax) return
    try {
      writeSync(2, message)
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }, beatMs)`

export interface Watchdog {
  stop(): Promise<void>
}

/**
 * Kills this process (SIGKILL, after `message` on standard error) once its event loop has not turned for `seconds`.
 * Whatever supervises it starts it again.
 */
export function startWatchdog(seconds: number, message: string): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const heart = setInterval(() => Atomics.add(beats, 0, 1), beatMs / 2).unref()
  const silentBeatsMax = Math.ceil((seconds * 1000) / beatMs)
  const worker = new Worker(thread, { eval: true, workerData: { beats, silentBeatsMax, beatMs, message } })
  worker.unref()
  return {
    async stop() {
      clearInterval(heart)
      await worker.terminate()
    },
  }
}
