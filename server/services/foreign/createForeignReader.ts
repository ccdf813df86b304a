import { type ForeignName, writeForeignName } from '@svc/core/foreign/foreignName.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { type ForeignFile, parseRegistrationFile } from '@svc/core/registrationFile/parseRegistrationFile.ts'
import type { ForeignChain } from '../../chain/foreignChain.ts'
import type { ReadForeignFile } from '../../external/outbound/foreignFiles.ts'
import { createAgedCache } from './createAgedCache.ts'
import type { ForeignFault, ForeignReading, TokenReading } from './foreignAgent.ts'

export type ForeignReaderDeps = {
  /** By `eip155:<chain id>:<address>`, in lower case. */
  chains: ReadonlyMap<string, Pick<ForeignChain, 'readToken' | 'readFeedback'>>
  readFile: ReadForeignFile
}

/** Whether the token is read past the cache. */
type Freshness = { isFresh?: boolean }

export type ForeignReader = ReturnType<typeof createForeignReader>

/**
 * How long the state of a token counts: shorter than the time between two blocks, so that a transfer is noticed in the next
 * block.
 */
const TOKEN_MS = 1_000
/** How long it counts while the node does not respond. */
const TOKEN_STALE_MS = 15_000
/** Files and feedback change rarely; a changed URI is another file. */
const FILE_MS = 5 * 60_000
/** How long a file counts while it cannot be reached, and how long that is not tried again. */
const FILE_STALE_MS = 60 * 60_000
const FILE_FAULT_MS = 10_000
const FEEDBACK_MS = 10 * 60_000

/** Maximum numbers of values: token URIs and files may be long. */
const TOKENS_MAX = 2_000
const FILES_MAX = 500
const FEEDBACK_MAX = 10_000

/** Creates the reader of agents of other registries, which shares what concurrent requests ask for. */
export function createForeignReader({ chains, readFile }: ForeignReaderDeps) {
  const tokens = createAgedCache<TokenReading>({ ageMs: TOKEN_MS, staleMs: TOKEN_STALE_MS, max: TOKENS_MAX })
  const files = createAgedCache<FileReading>({
    ...{ ageMs: FILE_MS, staleMs: FILE_STALE_MS, max: FILES_MAX },
    faults: {
      ageMs: FILE_FAULT_MS,
      isFault: ({ ok }) => !ok,
      mayPass: (read) => !read.ok && read.fault === 'file_unreachable',
    },
  })
  const feedback = createAgedCache<Awaited<ReturnType<ForeignChain['readFeedback']>>>({
    ageMs: FEEDBACK_MS,
    staleMs: Number.POSITIVE_INFINITY,
    max: FEEDBACK_MAX,
  })

  const readToken = async (
    name: ForeignName,
    now: number,
    { isFresh = false }: Freshness = {},
  ): Promise<TokenReading> => {
    const chain = chains.get(name.agentRegistry)
    if (chain === undefined) return 'untrusted'
    const key = writeForeignName(name)
    if (isFresh) tokens.delete(key)
    return tokens.get(key, now, () => chain.readToken(name.agentId))
  }

  return {
    /**
     * The state of a token, at most a second old, or 15 while the node does not respond; `isFresh` if it is read now.
     *
     * @throws ApiError CHAIN_UNAVAILABLE.
     */
    readToken,

    /** Reads a token, its registration file and its feedback. @throws ApiError CHAIN_UNAVAILABLE. */
    async read(name: ForeignName, now: number, freshness?: Freshness): Promise<ForeignReading> {
      const state = await readToken(name, now, freshness)
      if (state === 'untrusted') return { ok: false, fault: 'registry_not_trusted' }
      if (state === null) return { ok: false, fault: 'no_such_token' }
      const token = writeForeignName(name)
      const read = await files.get(sha256Hex(`${token}\n${state.uri}`), now, () =>
        readBoundFile(readFile, state.uri, name),
      )
      if (!read.ok) return read
      const chain = chains.get(name.agentRegistry)
      const counted = await feedback.get(
        token,
        now,
        async () => (await chain?.readFeedback(name.agentId)) ?? null,
      )
      return { ok: true, agent: { name, token, state, file: read.file, feedback: counted } }
    },
  }
}

type FileReading = { ok: true; file: ForeignFile } | { ok: false; fault: ForeignFault }

async function readBoundFile(read: ReadForeignFile, uri: string, name: ForeignName): Promise<FileReading> {
  const answer = await read(uri)
  return answer.ok ? parseRegistrationFile(answer.text, name) : answer
}
