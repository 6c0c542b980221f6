// The thread of the embedded database. Plain JavaScript: a thread that has to strip types takes three times the memory.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

const engine = await PGlite.create(workerData)

/** What the engine says leaves at once, before the call has ended: after some errors it never returns. */
function onRawData(bytes) {
  const said = bytes.slice()
  parentPort.postMessage(said, [said.buffer])
}

async function call(request) {
  await engine.execProtocolRawStream(request, { onRawData })
  parentPort.postMessage('done')
}

async function close() {
  await engine.close()
  parentPort.close()
}

/** An error that is thrown here ends the thread, and the engine with it. */
let last = Promise.resolve()
parentPort.on('message', (request) => {
  last = last.then(() => (request === 'close' ? close() : call(request)))
})
parentPort.postMessage('open')
