import type { GatewayRefusal } from '@svc/client/gateway/gatewayRefusal.ts'
import { type Answer, buildError, ERROR_CODES, isObject, type RequestId } from './jsonRpc.ts'

/** Name of the whole refusal in `_meta` of a result and in `data` of an error. */
const REFUSAL = 'X-Svc-Refusal'

/** What the owner of an agent has to approve. */
export type PendingApproval = {
  approvalId: string
  approvalUrl: string
  attemptId: string
  expiresAt: string
}

/** Reads the approval that a refused call waits for; undefined if it waits for none. */
export function readApproval({ body }: Pick<GatewayRefusal, 'body'>): PendingApproval | undefined {
  const { code, stepUpApproval: approval } = body
  if (code !== 'step_up_required' || !isObject(approval)) return undefined
  const { approvalId, approvalUrl, attemptId, expiresAt } = approval
  const texts = [approvalId, approvalUrl, attemptId, expiresAt]
  if (texts.some((text) => typeof text !== 'string')) return undefined
  return approval as PendingApproval
}

/**
 * Builds the response to a call that is not carried out: the result of a tool that failed, whose text a model can act on.
 *
 * If the agent's owner has to approve the call, clients that can open addresses get an error that leads the user to the
 * approval, and others a text that names the address. Either way the call was not carried out, and has to be repeated.
 *
 * Source: MCP 2025-11-25 "Elicitation", URL mode.
 */
export function buildRefusedCall(
  id: RequestId,
  refusal: Pick<GatewayRefusal, 'body'>,
  canOpenUrls: boolean,
): Answer {
  const approval = readApproval(refusal)
  if (approval === undefined) return buildFailedCall(id, `Refused: ${sentenceOf(refusal)}`, refusal.body)
  const { approvalId, approvalUrl: url } = approval
  const message = 'The owner of the agent has to approve this call. Repeat the call once it is approved.'
  if (!canOpenUrls) return buildFailedCall(id, `${message} The approval is at ${url}`, refusal.body)
  const elicitation = { mode: 'url', elicitationId: approvalId, url, message }
  const data = { elicitations: [elicitation], [REFUSAL]: refusal.body }
  return buildError(id, ERROR_CODES.urlElicitationRequired, message, data)
}

/** Builds the result of a call that failed, with the reason as its text. */
export function buildFailedCall(
  id: RequestId,
  text: string,
  refusal?: Readonly<Record<string, unknown>>,
): Answer {
  const result = { content: [{ type: 'text', text }], isError: true }
  return {
    jsonrpc: '2.0',
    id,
    result: refusal === undefined ? result : { ...result, _meta: { [REFUSAL]: refusal } },
  }
}

/** Explains why, and what to do next. */
function sentenceOf({ body }: Pick<GatewayRefusal, 'body'>): string {
  const { message, failures, guidance } = body
  const texts = [message, guidance]
  for (const failure of Array.isArray(failures) ? failures : [])
    texts.push(failure?.message, failure?.guidance)
  return [...new Set(texts)].filter((text) => typeof text === 'string').join(' ')
}
