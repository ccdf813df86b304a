import { openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { trySync } from './trySync.ts'

/** Entry point of the thread that syncs a write-ahead log: each message asks for a sync, and is answered with its result. */
const descriptor = openSync(workerData as string, 'r+')

parentPort?.on('message', () => parentPort?.postMessage(trySync(descriptor)))
