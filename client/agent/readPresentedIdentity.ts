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

/** What must not be dropped if it cannot be read: without it, another proof, or none, would count in its place. */
const PROVING = /^x-svc-(id|proof|token|attempt-id)$/
/** Stands for what cannot be read. No agent, attempt, proof or token is a control character, so the service refuses it. */
const UNREADABLE = '\u007f'

/**
 * Reads an agent's credentials from HTTP headers, an A2A `metadata` block or an MCP `_meta` block, which share their names.
 * Headers may be an object or a `Headers`.
 *
 * `X-Svc-Verify` and `X-Svc-Challenge` are ignored on purpose: the configuration decides where to verify and the registry
 * where to challenge, never the caller. A duration that is not a whole number of seconds is left out. An agent, attempt,
 * proof or token that is neither text nor a number, or one of several, is read as a text that the service refuses.
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
  const found: Record<string, string> = {}
  for (const [name, value] of listEntries(block)) {
    const text = readText(name.toLowerCase(), value)
    if (text !== '') found[name.toLowerCase()] = text
  }
  return readIdentityHeaders(found)
}

function readText(name: string, value: unknown): string {
  if (name === 'authorization' && Array.isArray(value)) return value.join(', ')
  const first = Array.isArray(value) ? value[0] : value
  const isText = typeof first === 'string' || typeof first === 'number'
  const isReadable = isText && !(Array.isArray(value) && value.length > 1)
  if (PROVING.test(name) && !isReadable && value !== undefined && value !== null) return UNREADABLE
  return isText ? String(first) : ''
}

/** Reads the same from headers by lower-case name, as `readHeaders` returns them. */
export function readIdentityHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): PresentedIdentity {
  const { 'x-svc-duration': duration, authorization } = headers
  return {
    agentId: headers['x-svc-id'] || undefined,
    purpose: headers['x-svc-purpose'] || undefined,
    jurisdiction: headers['x-svc-scope'] || undefined,
    sessionDuration: duration !== undefined && /^[1-9]\d{0,8}$/.test(duration) ? Number(duration) : undefined,
    attemptId: headers['x-svc-attempt-id'] || undefined,
    agentCardUrl: headers['x-svc-agent-card'] || undefined,
    intentProof: headers['x-svc-proof'] || undefined,
    agentToken: headers['x-svc-token'] || readAgentToken(authorization),
  }
}

function readAgentToken(authorization: string | undefined): string | undefined {
  if (!/(^|,) *AgentToken( |,|$)/i.test(authorization ?? '')) return undefined
  // Beside another scheme, it is one of several.
  return authorization?.match(/^AgentToken +(.+)$/i)?.[1] ?? UNREADABLE
}
