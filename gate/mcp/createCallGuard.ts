import {
  type PresentedIdentity,
  readIdentityHeaders,
  readPresentedIdentity,
} from '@svc/client/agent/readPresentedIdentity.ts'
import type { createGateway, GatewayOutcome } from '@svc/client/gateway/createGateway.ts'
import type { RequestFacts } from '@svc/client/gateway/requestFacts.ts'
import type { VerificationFields } from '@svc/client/gateway/verificationFields.ts'
import { readHeaders } from '@svc/client/http/readHeaders.ts'
import { buildFailedCall, buildRefusedCall } from './buildRefusedCall.ts'
import type { CallSession } from './callSession.ts'
import { describeCall, type ToolHints } from './describeCall.ts'
import type { Answer } from './jsonRpc.ts'
import type { McpRules } from './mcpRules.ts'
import type { ToolCall } from './readMessages.ts'

/** Where a call comes from. */
export type Caller = {
  /** What its transport says: headers, signature, address. */
  facts: RequestFacts
  /** Undefined if the server opens no sessions. */
  session: CallSession | undefined
  canOpenUrls: boolean
  hints: ToolHints
  /** Signs the facts of a call, if the gate has the key of the agent. */
  prove?: ((fields: VerificationFields) => Promise<Readonly<Record<string, string>>>) | undefined
}

/** The outcome of a call: it passes, or has been answered. */
export type GuardedCall =
  | { outcome: GatewayOutcome | null; answer?: undefined }
  | { outcome: GatewayOutcome | null; answer: Answer }

/** Returns how a request identifies its agent. As in the client, members of `_meta` take precedence over headers. */
export function readIdentity(
  headers: RequestFacts['headers'],
  metadata: Readonly<Record<string, unknown>>,
): Pick<PresentedIdentity, 'agentId' | 'attemptId'> {
  const sent = readIdentityHeaders(readHeaders(headers ?? {}))
  const { agentId = sent.agentId, attemptId = sent.attemptId } = readPresentedIdentity(metadata)
  return { agentId, attemptId }
}

/**
 * Creates the guard of calls: each is verified by the client library's gateway, as the rules describe it.
 *
 * It uses the approval of an earlier equal call of the session, so that clients repeat a held call unchanged. The registry
 * learns the hash of tool and arguments, and refuses an attempt that a client sends with another call.
 */
export function createCallGuard({
  gateway,
  rules,
}: {
  gateway: Pick<ReturnType<typeof createGateway>, 'verify'>
  rules: McpRules
}) {
  return async (
    call: ToolCall,
    { facts, session, canOpenUrls, hints, prove }: Caller,
  ): Promise<GuardedCall> => {
    const described = describeCall(rules, call, hints)
    if (!described.ok)
      return { outcome: null, answer: buildFailedCall(call.id, `Refused: ${described.problem}`) }
    const { agentId, attemptId: sent } = readIdentity(facts.headers, call.metadata)
    const remembered = { agentId, name: call.name, hash: call.hash }
    const attemptId = sent ?? session?.findAttempt(remembered)
    const fields = { ...described.fields, attemptId, callHash: call.hash }
    const metadata = { ...call.metadata, ...(await prove?.(fields)) }
    const outcome = await gateway.verify({ ...facts, metadata, fields, route: described.route })
    session?.note(remembered, outcome.passes ? undefined : outcome.refusal)
    return outcome.passes
      ? { outcome }
      : { outcome, answer: buildRefusedCall(call.id, outcome.refusal, canOpenUrls) }
  }
}
