import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { createRandomPool } from '../../external/randomPool.ts'
import { createRaiseAlert } from '../../services/alerts/createRaiseAlert.ts'
import { createAgentStore } from '../../store/agents/agentStore.ts'
import { createAlertStore } from '../../store/approvals/alertStore.ts'
import { createEndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { Ambient } from '../ambient.ts'
import { composeDatabase } from '../composeDatabase.ts'
import { composeIdempotency } from '../composeIdempotency.ts'
import { composeSigningKeys } from '../keys/composeSigningKeys.ts'
import { loadTracing } from '../loadTracing.ts'
import { prepareFolders } from '../prepareFolders.ts'
import { readVersion } from '../readVersion.ts'

const ROOT = join(import.meta.dirname, '../../..')

export type Base = Awaited<ReturnType<typeof composeBase>>

/** Composes what every other group is built on: the surroundings of the process, the database and the keys that sign. */
export async function composeBase(config: Config, given: Ambient) {
  const { log, clock = Date.now, answerTimeoutMs } = given
  const randomBytes = createRandomPool()
  const version = readVersion(ROOT)
  const tracing = await loadTracing(config.tracing, version, log)
  const ambient = { clock, randomBytes, log, traceHeaders: tracing?.traceHeaders }
  prepareFolders(config)
  const database = await composeDatabase(config, log, tracing?.traceGroup)
  const { wrapRecorder, ...writes } = composeIdempotency({ db: database.db, config, randomBytes })
  const { db } = writes
  return {
    config,
    ambient,
    answerTimeoutMs,
    root: ROOT,
    version,
    tracing,
    database,
    ...writes,
    recorder: wrapRecorder(database.recorder),
    signingKeys: await composeSigningKeys({ db, config, clock, log }),
    agents: createAgentStore(db.query),
    endpoints: createEndpointStore(db.query),
    raiseAlert: createRaiseAlert({
      alerts: createAlertStore(db.query),
      randomBytes,
      onFailure: (err) => log.error({ err }, 'an alert could not be stored'),
    }),
  }
}
