import { isJsonObject } from '../json.ts'

/**
 * An A2A block with its URL; where it names none, the agent's own verification endpoint (its challenge URL) is on the
 * same server and stands for it. Anything that is no block stays as it is and is refused later.
 *
 * Source: Spec: Commerce protocol declarations, a2a; protocols.md.
 */
export function prefillAgentUrl(a2a: unknown, apiEndpoint: unknown): unknown {
  if (!isJsonObject(a2a)) return a2a
  const isStated = a2a.agentUrl !== null && a2a.agentUrl !== undefined
  return isStated || typeof apiEndpoint !== 'string' ? a2a : { ...a2a, agentUrl: apiEndpoint }
}
