import { createForeignChain } from '../../chain/foreignChain.ts'
import type { Config } from '../../config.ts'
import { createForeignFiles } from '../../external/outbound/foreignFiles.ts'
import { createGetText, type TraceHeaders } from '../../external/outbound/outboundHttp.ts'
import { createSignatureVerifier } from '../../external/signatureVerifier.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { changeWallet, type WalletReading } from '../../services/foreign/changeWallet.ts'
import { createForeignReader } from '../../services/foreign/createForeignReader.ts'
import { type EndAdoptionDeps, endAdoption, type TokenTransfer } from '../../services/foreign/endAdoption.ts'
import { followForeign } from '../../services/foreign/followForeign.ts'
import type { ForeignAgent } from '../../services/foreign/foreignAgent.ts'
import { refreshAdopted } from '../../services/foreign/refreshAdopted.ts'
import { createAdoptionStore } from '../../store/agents/adoptionStore.ts'
import { createCredentialStore } from '../../store/agents/credentialStore.ts'
import { createTokenStore } from '../../store/agents/tokenStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import { waitWithGrace } from '../../workers/waitWithGrace.ts'
import type { ComposedRegistry } from '../composeRegistry.ts'

/** How long a registration file may take. */
const FILE_TIMEOUT_MS = 5_000
/** Interval between two looks at a chain: shorter than the time between its blocks, except on the fastest. */
const LOOK_MS = 4_000
const LOOK_LOCAL_MS = 250
const REFRESH_LOOK_MS = 30_000

type Ambient = {
  clock: () => number
  randomBytes: (length: number) => Uint8Array
  log: Logger
  traceHeaders?: TraceHeaders | undefined
}

type ForeignConfig = Pick<Config, 'foreignRegistries' | 'allowPrivateNetwork' | 'ipfsGatewayUrl' | 'chain'>

/** Composes the readers of registries on other chains; only those that the operator named are ever asked. */
export function composeForeignChains(config: ForeignConfig, { randomBytes, traceHeaders }: Ambient) {
  const random = () => (randomBytes(1)[0] ?? 0) / 256
  const chains = new Map(
    config.foreignRegistries.map((registry) => [
      registry.agentRegistry,
      createForeignChain({ ...registry, random }),
    ]),
  )
  const readFile = createForeignFiles({
    getText: createGetText({
      allowPrivate: config.allowPrivateNetwork,
      timeoutMs: FILE_TIMEOUT_MS,
      traceHeaders,
    }),
    ipfsGatewayUrl: config.ipfsGatewayUrl ?? null,
  })
  return { chains, reader: createForeignReader({ chains, readFile }) }
}

type ForeignChains = ReturnType<typeof composeForeignChains>

export type ComposeForeignDeps = {
  db: Db
  config: ForeignConfig
  ambient: Ambient
  foreign: ForeignChains
  registry: ComposedRegistry
  isRelayer(): Promise<boolean>
  onCredentialChanged(lookupKey: string): void
}

/** Composes adoptions: the use cases, and the loops that follow the registries. */
export function composeForeign(deps: ComposeForeignDeps) {
  const { db, config, ambient, foreign, registry } = deps
  const { chains, reader } = foreign
  const { clock, log } = ambient
  const adoptions = createAdoptionStore(db.query)
  const { onCredentialChanged } = deps
  const parts = {
    ...registry.parts,
    ...{ reader, adoptions, credentials: createCredentialStore(db.query), onCredentialChanged },
    isSignedByOwner: async ({
      agent,
      text,
      signature,
    }: {
      agent: ForeignAgent
      text: string
      signature: string
    }) => {
      const chain = chains.get(agent.name.agentRegistry)
      const { recoverSigner } = createSignatureVerifier({
        verifyContractSignature: chain?.acceptsSignature ?? null,
      })
      return (await recoverSigner(text, signature, agent.state.owner)) !== null
    },
  } satisfies EndAdoptionDeps & Record<string, unknown>
  const end = (transfer: TokenTransfer) => endAdoption(parts, transfer)
  const change = (reading: WalletReading) => changeWallet(parts, reading)
  const following = {
    ...{ db, adoptions, agents: parts.agents, clock, endAdoption: end, changeWallet: change },
    cursors: createTokenStore(db.query),
    onAgentChanged: parts.onAgentChanged,
    isRelayer: deps.isRelayer,
  }
  const pauseMs = config.chain.local ? LOOK_LOCAL_MS : LOOK_MS
  const followers = [...chains].map(([agentRegistry, chain]) =>
    createRoundsWorker({
      failing: `the registry ${agentRegistry} cannot be followed`,
      round: () => followForeign(following, { agentRegistry, chain }),
      ...{ pauseMs, log },
    }),
  )
  const refresher = createRoundsWorker({
    failing: 'tokens of adopted agents, and feedback on them, cannot be read',
    round: () => refreshAdopted(following, chains),
    ...{ pauseMs: REFRESH_LOOK_MS, log },
  })
  const workers = chains.size === 0 ? [] : [...followers, refresher]
  return {
    parts,
    endAdoption: end,
    changeWallet: change,
    start() {
      for (const worker of workers) worker.start()
    },
    stop: () => waitWithGrace(Promise.all(workers.map((worker) => worker.stop()))),
  }
}
