import type { ChallengeAnswer } from './createPendingCounterparties.ts'

/** The parts of a reply that the handler uses. */
export type ChallengeReply = {
  code(status: number): unknown
  send(body: unknown): unknown
}

/**
 * Creates a Fastify handler for an agent's challenge URL: `app.post('/challenge', challengeHandler(agent))`. Fastify parses
 * the body and writes the response.
 *
 * @param client From `createAgentClient`. Source: Spec: Agent-hosted challenge endpoint.
 */
export function fastifyChallengeHandler(client: { challenge(body: unknown): ChallengeAnswer }) {
  return async (request: { body?: unknown }, reply: ChallengeReply): Promise<unknown> => {
    const { status, body } = client.challenge(request.body)
    reply.code(status)
    // Returning the reply tells Fastify that the handler has responded.
    reply.send(body)
    return reply
  }
}
