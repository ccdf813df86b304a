import type { GatewayRefusal } from '@svc/client/gateway/gatewayRefusal.ts'
import { readApproval } from './buildRefusedCall.ts'
import { isObject } from './jsonRpc.ts'

/** A call, and the agent that it names. */
export type SessionCall = { agentId: string | undefined; name: string; hash: string }

/** What the gate remembers of one session of a client; no other session can use it. */
export type CallSession = ReturnType<typeof createCallSession>

const REMEMBERED_MAX = 50
const HIDDEN_MS = 300_000
/** Failures that other arguments, or a later time, can avoid. */
const OF_ONE_CALL: readonly unknown[] = [
  'pdlss.limits',
  'pdlss.rate',
  'pdlss.duration',
  'endpoint.limits',
  'endpoint.duration',
  'runtime.challenge',
  'agent.proof',
  'approvals.pending',
  'commerce.mandate',
]

/**
 * Creates the memory of one session: the attempts that wait for an approval, so that repeating the call uses it, and the
 * tools that the registry has refused to an agent, which the list then leaves out.
 *
 * @param canOpenUrls Whether the client can lead its user to an address.
 * @param now Epoch milliseconds.
 */
export function createCallSession(canOpenUrls: boolean, now: () => number = Date.now) {
  const attempts = new Map<string, { attemptId: string; until: number }>()
  const hidden = new Map<string, number>()

  return {
    canOpenUrls,

    /** Returns the attempt of an earlier equal call that had to be approved. */
    findAttempt(call: SessionCall): string | undefined {
      const attempt = attempts.get(keyOf(call))
      return attempt !== undefined && attempt.until > now() ? attempt.attemptId : undefined
    },

    /** Notes what became of a call; `refusal` is undefined if it passed. */
    note(call: SessionCall, refusal: GatewayRefusal | undefined): void {
      const key = keyOf(call)
      const approval = refusal && readApproval(refusal)
      // Without a decision, the attempt can still be used.
      if (refusal === undefined || refusal.status < 500) attempts.delete(key)
      if (approval !== undefined) {
        put(attempts, key, { attemptId: approval.attemptId, until: Date.parse(approval.expiresAt) })
      }
      const tool = JSON.stringify([call.agentId, call.name])
      if (refusal === undefined || approval !== undefined) hidden.delete(tool)
      else if (isOfTool(refusal)) put(hidden, tool, now() + HIDDEN_MS)
    },

    /** Whether the registry has refused a tool to an agent, whatever the arguments, in the last five minutes. */
    isRefused(agentId: string | undefined, name: string): boolean {
      return (hidden.get(JSON.stringify([agentId, name])) ?? 0) > now()
    },
  }
}

function isOfTool({ status, body: { code, failures } }: GatewayRefusal): boolean {
  if (status !== 403 || code !== 'access_denied' || !Array.isArray(failures) || failures.length === 0)
    return false
  return failures.some((failure) => isObject(failure) && !OF_ONE_CALL.includes(failure.dimension))
}

/** Drops the oldest entry when there are too many. */
function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest)
}

function keyOf({ agentId, hash }: SessionCall): string {
  return JSON.stringify([agentId, hash])
}
