import { readRequestBody } from '../http/readRequestBody.ts'
import type { ChallengeAnswer } from './createPendingCounterparties.ts'

/** The parts of a request that the handler reads. */
export type ChallengeRequest = AsyncIterable<Uint8Array> & { body?: unknown }

/** The parts of a response that the handler uses. */
export type ChallengeResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/** Far longer than any challenge of the service. */
export const CHALLENGE_BYTES_MAX = 16 * 1024

/**
 * Creates an Express handler (for any Node request) for an agent's challenge URL. It reads the body itself if no parser
 * has done so.
 *
 * @param client From `createAgentClient`. Source: Spec: Agent-hosted challenge endpoint.
 */
export function challengeHandler(client: { challenge(body: unknown): ChallengeAnswer }) {
  return async (req: ChallengeRequest, res: ChallengeResponse): Promise<void> => {
    const { status, body } = client.challenge(req.body ?? (await readJson(req)))
    res.statusCode = status
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.end(JSON.stringify(body))
  }
}

/** Returns undefined, which is not a challenge, if the body cannot be read. */
async function readJson(req: ChallengeRequest): Promise<unknown> {
  try {
    const body = await readRequestBody(req, CHALLENGE_BYTES_MAX)
    return body && JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
