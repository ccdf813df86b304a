import { createAgentClient } from '@svc/client'
import { type FetchGatewayOptions, gateway } from '@svc/client/fetch'
import { privateKeyToAccount } from 'viem/accounts'

type Task = { key: `0x${string}`; options: FetchGatewayOptions }

/** Program of an edge server: an agent registers, gets a token and visits a shop behind the Fetch gateway. */
export async function runAtTheEdge(taskText: string): Promise<string> {
  const { key, options }: Task = JSON.parse(taskText)
  const account = privateKeyToAccount(key)
  const agent = createAgentClient({ apiBaseUrl: options.apiBaseUrl, account, purpose: 'shopping:buy' })
  const { svcId } = await agent.register({
    name: 'Edge',
    pdlss: { purpose: { categories: ['shopping'] } },
  })
  const { expiresIn } = await agent.token()

  const handled: string[] = []
  const handle = gateway(options)((request, { verified, recommendation }) => {
    handled.push(request.url)
    return Response.json({ verified, recommendation, level: request.headers.get('x-svc-access-level') })
  })
  const visits: Record<string, string>[] = [
    agent.a2aMetadata().metadata,
    agent.a2aMetadata({ purpose: 'gambling:bet' }).metadata,
    { 'x-svc-access-level': 'full' },
  ]
  const visited: unknown[] = []
  for (const headers of visits) {
    const answer = await handle(new Request('https://shop.io/orders', { headers }))
    const { verified, recommendation, level, code } = (await answer.json()) as Record<string, unknown>
    visited.push({ status: answer.status, verified, recommendation, level, code })
  }
  return JSON.stringify({ svcId, expiresIn, handled, visited })
}
