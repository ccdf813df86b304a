import { parentPort, workerData } from 'node:worker_threads'
import type { FeatureSet } from '../config/featureSets.ts'
import { lowerThreadPriority } from '../external/lowerThreadPriority.ts'
import { discardForeignFeed, projectChunk } from '../services/projection/projectChunk.ts'
import type { ProjectionReport, ProjectionRequest } from '../services/projection/projectionMessages.ts'
import { openSequencer } from '../store/audit/sequencer.postgres.ts'
import { chooseFeatures } from '../store/database/databaseFeatures.ts'
import { createWalCheckpointer } from '../store/database/wal/walCheckpointer.sqlite.ts'
import { openPostgresProjection } from '../store/feed/projection.postgres.ts'
import { createSqliteProjectionStore } from '../store/feed/projectionStore.sqlite.ts'
import { createProjectionLoop, type ProjectionLoopDeps } from '../workers/projectionLoop.ts'
import { repeatRounds } from '../workers/repeatRounds.ts'

type Where = {
  databaseUrl?: string | undefined
  databaseFeatures?: FeatureSet | undefined
  databaseFile: string
  feedFile: string
}

type Projecting = Pick<ProjectionLoopDeps, 'logSize' | 'projectChunk' | 'checkpoint'> & {
  /** The feed’s position at the start, and whether it had to be emptied. */
  running: { nextSeq: number; rebuilt: boolean }
  close(): Promise<void>
}

const HELD_ELSEWHERE = 'another process keeps the feed from being written'
/** Pause between two rounds of giving places: a record has one within a second, however long a chunk is projected. */
const PLACING_MS = 500
/** How often this process gets no turn while the feed does not advance, five seconds each, before it reports that. */
const IDLE_TURNS_MAX = 3

/** Entry point of the projection thread, which composes its own parts and connections. */
lowerThreadPriority()
const where = workerData as Where
const projecting =
  where.databaseUrl === undefined
    ? openFiles(where)
    : await openServer(where.databaseUrl, where.databaseFeatures)
const tell = (report: ProjectionReport) => parentPort?.postMessage(report)

tell({ kind: 'running', ...projecting.running })
const loop = createProjectionLoop({
  ...projecting,
  advanced: (nextSeq, logSize) => tell({ kind: 'advanced', nextSeq, logSize }),
  caughtUp: (ids, nextSeq) => tell({ kind: 'caughtUp', ids, nextSeq }),
})

parentPort?.on('message', (request: ProjectionRequest) => {
  switch (request.kind) {
    case 'catchUp':
      loop.catchUp(request.id)
      return
    case 'stop':
      void stop()
  }
})

async function stop(): Promise<void> {
  await loop.stop()
  await projecting.close()
  parentPort?.close()
}

function openFiles(files: Where): Projecting {
  // The log’s checkpointer is created before the feed is opened: if the feed cannot be opened or filled, which each new
  // thread finds out again, the log’s write-ahead log would otherwise grow until the disk is full.
  const ofLog = createWalCheckpointer(files.databaseFile)
  ofLog.run()
  const store = createSqliteProjectionStore(files)
  const checkpointers = [ofLog, createWalCheckpointer(files.feedFile)]
  const rebuilt = discardForeignFeed(store)
  return {
    running: { nextSeq: store.nextSeq(), rebuilt },
    logSize: store.logSize,
    projectChunk: () => projectChunk(store),
    checkpoint() {
      for (const checkpointer of checkpointers) checkpointer.run()
    },
    async close() {
      for (const { close } of [...checkpointers, store]) close()
    },
  }
}

async function openServer(url: string, features: FeatureSet | undefined): Promise<Projecting> {
  // First, so that committed records get their places although the feed cannot be written.
  const sequencer = openSequencer(url, { locks: chooseFeatures(features).locks })
  await sequencer.placeAll()
  const projection = await openPostgresProjection(url)
  const rebuilt = await projection.run((store) => discardForeignFeed(store))
  if (rebuilt === null) throw new Error(HELD_ELSEWHERE)
  // Its failures are reported by the turns of the projection, which gives places too.
  const placeSome = () =>
    sequencer.placeAll().then(
      () => 0,
      () => 0,
    )
  const placing = repeatRounds({ round: placeSome, pauseMs: PLACING_MS })
  placing.start()
  let idleTurns = 0
  return {
    running: { nextSeq: await projection.nextSeq(), rebuilt },
    // What was committed before somebody asks has a place before it is counted, so that nobody has to look for it elsewhere.
    async logSize() {
      await sequencer.placeAll()
      return projection.logSize()
    },
    async projectChunk() {
      await sequencer.placeAll()
      const [nextSeq, size] = await Promise.all([projection.nextSeq(), projection.logSize()])
      const projected = nextSeq < size ? await projection.run((store) => projectChunk(store)) : nextSeq
      const reached = projected ?? (await projection.nextSeq())
      idleTurns = projected === null && reached <= nextSeq ? idleTurns + 1 : 0
      if (idleTurns >= IDLE_TURNS_MAX) throw new Error(HELD_ELSEWHERE)
      return reached
    },
    checkpoint: () => undefined,
    async close() {
      await placing.stop()
      await sequencer.close()
      await projection.close()
    },
  }
}
