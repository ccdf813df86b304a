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

/** Grants requests that name an agent, and denies the rest. */
const answerByAgent: RegistryAnswer = ({ agentId }) => (agentId === undefined ? DENIAL : GRANT)

/** Opens a registry that answers as given, for an endpoint with these routes, and lists what it was asked. */
export async function openRegistry(answer: RegistryAnswer = answerByAgent, routes: readonly object[] = []) {
  const asked: AskedOfRegistry[] = []
  const server = await listen(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    res.setHeader('content-type', 'application/json')
    if (req.method !== 'POST') return void res.end(JSON.stringify({ success: true, endpoint: { routes } }))
    const body = JSON.parse(text)
    asked.push(body)
    res.end(JSON.stringify(answer(body)))
  })
  return {
    asked,
    gateway: { apiBaseUrl: `${server.url}/api`, apiKey: 'k', counterpartyId: ENDPOINT },
    stop: server.stop,
  }
}
