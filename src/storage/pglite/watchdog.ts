// A watchdog thread that ends the process if its event loop or database is stuck.
import { Worker } from 'node:worker_threads'

const beatMs = 1000

/** Counts its own ticks, because a sleeping machine is not stuck. Plain JavaScript saves much memory. */
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

/** Sends SIGKILL if the event loop or `answer` is stuck for `seconds`. A supervisor restarts the process. */
export function startWatchdog(seconds: number, message: string, answer: () => Promise<unknown>): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let asking = false
  const heart = setInterval(() => {
    if (asking) return
    asking = true
    const beat = () => {
      asking = false
      Atomics.add(beats, 0, 1)
    }
    answer().then(beat, beat)
  }, beatMs / 2).unref()
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
