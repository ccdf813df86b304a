import { listEntries } from '../http/readHeaders.ts'

/** What an agent says about itself and its request, on any transport. */
export type PresentedIdentity = {
  agentId?: string | undefined
  /** `<category>:<action>`. */
  purpose?: string | undefined
  jurisdiction?: string | undefined
  /** Longest session in seconds. */
  sessionDuration?: number | undefined
  /** The attempt that needed an approval, when the request is sent again. */
  attemptId?: string | undefined
  /** Where the agent says its agent card is. */
  agentCardUrl?: string | undefined
  /** What the agent commits to, signed; see `createIntentProof`. */
  intentProof?: string | undefined
  /** The agent's token for this counterparty. */
  agentToken?: string | undefined
}

/**
 * Reads an agent's credentials from HTTP headers, an A2A `metadata` block or an MCP `_meta` block, which share their names.
 * Headers may be an object or a `Headers`.
 *
 * `X-Svc-Verify` and `X-Svc-Challenge` are ignored on purpose: the configuration decides where to verify and the registry
 * where to challenge, never the caller. A duration that is not a whole number of seconds is left out.
 *
 * Four headers are additions: `X-Svc-Attempt-Id` sends back the attempt id of `stepUpApproval`, `X-Svc-Agent-Card` names the
 * agent card, which the service shows the counterparty and does not fetch, `X-Svc-Proof` is an intent proof, and
 * `X-Svc-Token`, or `Authorization` with the scheme `AgentToken`, an agent token.
 *
 * Source: Spec: Agent-side request headers.
 */
export function readPresentedIdentity(
  block: Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>,
): PresentedIdentity {
  const found = new Map<string, string>()
  for (const [name, value] of listEntries(block)) {
    const first = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string' && first !== '') found.set(name.toLowerCase(), first)
    if (typeof first === 'number') found.set(name.toLowerCase(), String(first))
  }
  const duration = found.get('x-svc-duration') ?? ''
  return {
    agentId: found.get('x-svc-id'),
    purpose: found.get('x-svc-purpose'),
    jurisdiction: found.get('x-svc-scope'),
    sessionDuration: /^[1-9]\d{0,8}$/.test(duration) ? Number(duration) : undefined,
    attemptId: found.get('x-svc-attempt-id'),
    agentCardUrl: found.get('x-svc-agent-card'),
    intentProof: found.get('x-svc-proof'),
    agentToken:
      found.get('x-svc-token') ?? /^AgentToken +(\S+)$/i.exec(found.get('authorization') ?? '')?.[1],
  }
}
