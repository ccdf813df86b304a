import type { Config } from '../../config.ts'
import { createIpfsFiles } from '../../external/outbound/ipfsFiles.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { createKeepInIpfs } from '../../services/agents/token/keepInIpfs.ts'
import { createMoveHost } from '../../services/agents/token/moveHost.ts'
import { followTokens } from '../../services/chain/followTokens.ts'
import { createAgentStore } from '../../store/agents/agentStore.ts'
import { createIpfsFileStore } from '../../store/agents/ipfsFileStore.ts'
import { createTokenStore } from '../../store/agents/tokenStore.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createDeploymentStore } from '../../store/relayer/deploymentStore.ts'
import { createOutboxStore } from '../../store/relayer/outboxStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import { waitWithGrace } from '../../workers/waitWithGrace.ts'
import type { ComposedRegistry } from '../composeRegistry.ts'
import type { ChainPart } from './composeChain.ts'

export type ComposeTokensDeps = {
  db: Db
  config: Pick<Config, 'publicUrl' | 'allowPrivateNetwork' | 'chain' | 'ipfsApiUrl'>
  chain: Pick<ChainPart, 'tokens' | 'isRelayer'>
  registry: Pick<ComposedRegistry, 'onTokenChanged' | 'syncTokenUri' | 'publishFile'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array; log: Logger }
}

/** Composes the synchronisation of agents’ tokens: with changes on chain, and with a changed host name. */
export function composeTokens({ db, config, chain, registry, ambient }: ComposeTokensDeps) {
  const { log, ...sources } = ambient
  const { publicUrl, allowPrivateNetwork } = config
  const agents = createAgentStore(db.query)
  const deployments = createDeploymentStore(db.query)
  const outbox = createOutboxStore(db.query)
  const following = {
    db,
    agents,
    tokens: createTokenStore(db.query),
    chain: {
      ...chain.tokens,
      deployment: async () => ((await chain.isRelayer()) ? deployments.remembered() : null),
    },
    onTokenChanged: registry.onTokenChanged,
  }
  const move = createMoveHost(
    {
      db,
      agents,
      deployments,
      records: createAuditRecordStore(db.query),
      outbox,
      settings: { publicUrl, allowPrivateNetwork, ...sources },
      publishFile: registry.publishFile,
    },
    { isRelayer: chain.isRelayer, syncTokenUri: registry.syncTokenUri },
  )
  const pauseMs = config.chain.local ? 250 : 4_000
  const workers = [
    createRoundsWorker({
      failing: 'the identity registry cannot be followed',
      round: () => followTokens(following),
      pauseMs,
      log,
    }),
    createRoundsWorker({
      failing: 'agents cannot be brought to PUBLIC_URL',
      round: move,
      pauseMs,
      log,
    }),
    ...keepersOf(config.ipfsApiUrl),
  ]
  function keepersOf(ipfsApiUrl: string | undefined) {
    if (ipfsApiUrl === undefined) return []
    const { isRelayer } = chain
    const kept = createIpfsFileStore(db.query)
    const ipfs = createIpfsFiles(ipfsApiUrl)
    const { syncTokenUri } = registry
    const round = createKeepInIpfs({ db, agents, kept, ipfs, outbox, publicUrl }, { isRelayer, syncTokenUri })
    return [createRoundsWorker({ failing: 'registration files cannot be kept in IPFS', round, pauseMs, log })]
  }
  return {
    start() {
      for (const worker of workers) worker.start()
    },
    stop: () => waitWithGrace(Promise.all(workers.map((worker) => worker.stop()))),
  }
}
