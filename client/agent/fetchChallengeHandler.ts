import { readText } from '../http/readResponse.ts'
import { CHALLENGE_BYTES_MAX } from './challengeHandler.ts'
import type { ChallengeAnswer } from './createPendingCounterparties.ts'

/**
 * Creates a Fetch-style handler for an agent's challenge URL (Next.js routes, Hono, Deno, Bun, edge runtimes).
 *
 * @param client From `createAgentClient`. Source: Spec: Agent-hosted challenge endpoint.
 */
export function fetchChallengeHandler(client: { challenge(body: unknown): ChallengeAnswer }) {
  return async (request: Request): Promise<Response> => {
    const { status, body } = client.challenge(await readJson(request))
    return Response.json(body, { status })
  }
}

/** Returns undefined, which is not a challenge, if the body cannot be read. */
async function readJson(request: Request): Promise<unknown> {
  try {
    return JSON.parse((await readText(request, CHALLENGE_BYTES_MAX)) ?? '')
  } catch {
    return undefined
  }
}
