import type { ChallengeAnswer } from './createPendingCounterparties.ts'

type ChallengeRequest = AsyncIterable<Uint8Array> & { body?: unknown }
type ChallengeResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

const BYTES_MAX = 16 * 1024

/**
 * Express handler (any Node request) for an agent's challenge URL; reads the body itself where no parser has.
 *
 * @param client From `createAgentClient`. Source: Spec: Agent-hosted challenge endpoint.
 */
export function challengeHandler(client: { challenge(body: unknown): ChallengeAnswer }) {
  return async (req: ChallengeRequest, res: ChallengeResponse): Promise<void> => {
    const { status, body } = client.challenge(req.body ?? (await parsedBody(req)))
    res.statusCode = status
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.end(JSON.stringify(body))
  }
}

/** Undefined for what cannot be read, which is no challenge. */
async function parsedBody(req: ChallengeRequest): Promise<unknown> {
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of req) {
      size += chunk.length
      if (size <= BYTES_MAX) chunks.push(chunk)
    }
    return size > BYTES_MAX ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
