import { compilePlatforms } from '@svc/core/platforms/compilePlatforms.ts'
import type { Config } from '../config.ts'
import { createIpLists } from '../external/ipLists.ts'
import { createGetText, type TraceHeaders } from '../external/outbound/outboundHttp.ts'
import { createReverseDns } from '../external/outbound/reverseDns.ts'
import { readPlatforms } from '../external/readPlatforms.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import { createKeyDirectories } from '../external/webBotAuth/keyDirectories.ts'
import { createReplayMemory, type ReplayMemory } from '../external/webBotAuth/replayMemory.ts'
import { createWebBotAuth } from '../external/webBotAuth/webBotAuth.ts'
import { type IdentifyPlatformDeps, identifyPlatform } from '../services/platforms/identifyPlatform.ts'
import {
  createProvisionalAgents,
  type ProvisionalAgentsDeps,
} from '../services/platforms/provisionalAgents.ts'
import { createRefreshIpLists } from '../services/platforms/refreshIpLists.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'
import { waitWithGrace } from '../workers/waitWithGrace.ts'

/** Maximum time that a signed request waits for the keys of its platform. */
const DIRECTORY_TIMEOUT_MS = 2_000
const LIST_TIMEOUT_MS = 10_000
const LIST_BYTES_MAX = 2 * 1024 * 1024
/** Interval of the check whether an address list is due. */
const LOOK_MS = 60_000

export type ComposePlatformsDeps = {
  config: Pick<Config, 'platforms' | 'dnsServers' | 'allowPrivateNetwork'>
  agents: ProvisionalAgentsDeps
  /** Stores nonces of signatures; by default, in the memory of this process. */
  replays?: ReplayMemory | undefined
  answerTimeoutMs?: number | undefined
  clock: () => number
  log: Logger
  traceHeaders: TraceHeaders | undefined
}

/** Composes the recognition of platforms: which are known, and by what evidence. */
export function composePlatforms(parts: ComposePlatformsDeps) {
  const { config, agents, replays, answerTimeoutMs = DIRECTORY_TIMEOUT_MS, clock, log } = parts
  const { file, ipListsFile, ipListHours, reverseDns } = config.platforms
  const allowPrivate = config.allowPrivateNetwork
  const list = readPlatforms(file).platforms
  const platforms = compilePlatforms(list)
  const ipLists = createIpLists(ipListsFile)
  const provisional = createProvisionalAgents(agents)
  const deps: IdentifyPlatformDeps = {
    platforms,
    ipLists,
    reverseDns: reverseDns ? createReverseDns({ servers: config.dnsServers }) : null,
    verifySignature: createWebBotAuth({
      keyOf: createKeyDirectories({
        getText: createGetText({
          allowPrivate,
          timeoutMs: answerTimeoutMs,
          traceHeaders: parts.traceHeaders,
        }),
        onFailed: (url, err) => log.warn({ url, err }, 'a key directory could not be read'),
      }),
      replays: replays ?? createReplayMemory(),
      isKnownSigner: (signer) => platforms.bySignatureAgent(signer) !== null,
    }),
    agentOf: provisional.provide,
  }
  const urls = new Set(list.flatMap(({ tokens }) => tokens.flatMap((token) => token.ipLists ?? [])))
  const refresh = createRefreshIpLists(
    {
      getText: createGetText({ allowPrivate, timeoutMs: LIST_TIMEOUT_MS, maxBytes: LIST_BYTES_MAX }),
      lists: ipLists,
      clock,
      onFailed: (url, err) => log.warn({ url, err }, 'an address list could not be read'),
    },
    [...urls],
    ipListHours * 60 * 60_000,
  )
  const worker = createRoundsWorker({
    failing: 'address lists cannot be kept',
    round: refresh,
    pauseMs: LOOK_MS,
    log,
  })
  return {
    /** The platforms that are recognised. */
    list,
    identify: (input: Parameters<typeof identifyPlatform>[1]) => identifyPlatform(deps, input),
    onAgentChanged: provisional.onAgentChanged,
    clear: provisional.clear,
    start: () => {
      if (ipListHours > 0) worker.start()
    },
    stop: () => waitWithGrace(worker.stop()),
  }
}
