import type { IncomingHttpHeaders } from 'node:http'
import { GRANT } from '../client/gateway/openFakeService.ts'
import { listen } from '../harness/peers/listen.ts'

export const ENDPOINT = `SVCE-${'B'.repeat(22)}`
export const AGENT = `SVC-${'A'.repeat(22)}`

/** What a gate asks about one request. */
type AskedOfRegistry = {
  agentId?: string
  purpose?: string
  resource?: string
  transactionValue?: number
  currency?: string
  attemptId?: string
  callHash?: string
  intentProof?: string
  dryRun?: boolean
  callerMetadata: Record<string, string>
}

export type RegistryAnswer = (body: AskedOfRegistry) => object

export const DENIAL = {
  ...GRANT,
  access: { allowed: false, accessLevel: 'none', reason: 'no agent' },
  recommendation: 'deny',
}

/** The answer of the registry to a request that the agent's owner has to approve. */
export function holdFor(attemptId: string): object {
  return {
    success: true,
    access: { allowed: false, accessLevel: 'none', reason: 'held' },
    recommendation: 'step_up_required',
    recommendationReasons: [],
    stepUpApproval: {
      ...{ approvalId: 'ap-1', pollUrl: 'https://registry.example/poll', status: 'pending', attemptId },
      approvalUrl: 'https://registry.example/activity/pending/ap-1',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }
}

/** Grants requests that name an agent, and denies the rest. */
const answerByAgent: RegistryAnswer = ({ agentId }) => (agentId === undefined ? DENIAL : GRANT)

/** Opens a registry that answers as given, for an endpoint with these routes, and lists questions and their traces. */
export async function openRegistry(answer: RegistryAnswer = answerByAgent, routes: readonly object[] = []) {
  const asked: AskedOfRegistry[] = []
  const traces: IncomingHttpHeaders[] = []
  const server = await listen(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    res.setHeader('content-type', 'application/json')
    if (req.method !== 'POST') return void res.end(JSON.stringify({ success: true, endpoint: { routes } }))
    const body = JSON.parse(text)
    asked.push(body)
    traces.push(pickTrace(req.headers))
    res.end(JSON.stringify(answer(body)))
  })
  return {
    ...{ asked, traces },
    gateway: { apiBaseUrl: `${server.url}/api`, apiKey: 'k', counterpartyId: ENDPOINT },
    stop: server.stop,
  }
}

function pickTrace({ traceparent, tracestate, baggage }: IncomingHttpHeaders): IncomingHttpHeaders {
  return { traceparent, tracestate, baggage }
}
