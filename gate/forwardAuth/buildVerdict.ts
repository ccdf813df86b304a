import type { GatewayOutcome } from '@svc/client/gateway/createGateway.ts'
import type { GatewayRefusal } from '@svc/client/gateway/gatewayRefusal.ts'

type Refusal = Pick<GatewayRefusal, 'status' | 'headers' | 'text'>

/**
 * Builds the answer to a proxy: 200 with the headers to pass on, or a refusal.
 *
 * Proxies take every 2xx for a yes, among them the 202 of a held request, and nginx every other status than 401 and 403 for
 * a failure. So a refusal is 403, and 503 if there is no decision; `X-Svc-Gate-Status` has what the gate would have answered
 * itself, and the body says why.
 *
 * @param decision The headers to pass on to the server.
 */
export function buildVerdict(
  outcome: Extract<GatewayOutcome, { passes: true }> | { passes: false; refusal: Refusal },
  decision: Readonly<Record<string, string>>,
): { status: number; headers: Record<string, string>; text: string } {
  if (outcome.passes) return { status: 200, headers: { ...outcome.headers, ...decision }, text: '' }
  const { status, headers, text } = outcome.refusal
  return {
    status: status >= 500 ? 503 : 403,
    headers: { ...headers, 'X-Svc-Gate-Status': String(status) },
    text,
  }
}
