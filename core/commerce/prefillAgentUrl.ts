import { isJsonObject } from '../json.ts'

/**
 * Fills in the URL of an A2A block that has none with the agent's challenge URL, which is on the same server. A value
 * that is not a block is returned unchanged, and validation refuses it later.
 *
 * Source: Spec: Commerce protocol declarations, a2a; protocols.md.
 */
export function prefillAgentUrl(a2a: unknown, apiEndpoint: unknown): unknown {
  if (!isJsonObject(a2a)) return a2a
  const isStated = a2a.agentUrl !== null && a2a.agentUrl !== undefined
  return isStated || typeof apiEndpoint !== 'string' ? a2a : { ...a2a, agentUrl: apiEndpoint }
}
