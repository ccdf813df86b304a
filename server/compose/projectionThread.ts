import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../external/lowerThreadPriority.ts'
import { fitFeed } from '../services/projection/fitFeed.ts'
import { projectChunk } from '../services/projection/projectChunk.ts'
import type { ProjectionReport, ProjectionRequest } from '../services/projection/projectionMessages.ts'
import { createSqliteProjectionStore } from '../store/projectionStore.sqlite.ts'
import { createWalCheckpointer } from '../store/walCheckpointer.sqlite.ts'
import { createProjectionLoop } from '../workers/projectionLoop.ts'

/** Entry point of the projection's thread: a composition root of its own, with its own connections. */
lowerThreadPriority()
const files = workerData as { databaseFile: string; feedFile: string }
const store = createSqliteProjectionStore(files)
const checkpointers = [createWalCheckpointer(files.databaseFile), createWalCheckpointer(files.feedFile)]
const tell = (report: ProjectionReport) => parentPort?.postMessage(report)

const rebuilt = fitFeed(store)
tell({ kind: 'running', nextSeq: store.nextSeq(), rebuilt })
const loop = createProjectionLoop({
  logSize: store.logSize,
  projectChunk: () => projectChunk(store),
  checkpoint: () => {
    for (const checkpointer of checkpointers) checkpointer.run()
  },
  advanced: (nextSeq) => tell({ kind: 'advanced', nextSeq }),
  caughtUp: (ids, nextSeq) => tell({ kind: 'caughtUp', ids, nextSeq }),
})

parentPort?.on('message', (request: ProjectionRequest) => {
  switch (request.kind) {
    case 'catchUp':
      loop.catchUp(request.id)
      return
    case 'stop':
      loop.stop()
      for (const { close } of [...checkpointers, store]) close()
      parentPort?.close()
  }
})
