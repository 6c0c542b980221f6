// The worker thread of PGlite. Plain JavaScript: type stripping triples a thread's memory.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

const engine = await PGlite.create(workerData)

/** Forwards output at once: after some errors the call never returns. */
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

/** An error here ends the thread and the engine. */
let last = Promise.resolve()
parentPort.on('message', (request) => {
  last = last.then(() => (request === 'close' ? close() : call(request)))
})
parentPort.postMessage('open')
