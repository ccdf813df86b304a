import { parentPort } from 'node:worker_threads'
import { verifyGroup } from './signatureGroup.ts'
import { sodium } from './sodium.ts'

/** Entry point of the thread that checks signatures. */
parentPort?.on('message', (group) => {
  const results = verifyGroup(sodium, group)
  parentPort?.postMessage(results, [results.buffer])
})
